import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { AppError } from "@/server/domain/errors";
import { readBody, shedBody } from "@/server/http/read-body";

/** A handler as every HTTP surface of ours is one: mounted by our own server and by route files alike. */
export type FetchHandler = (request: Request) => Promise<Response>;

function headersOf(incoming: IncomingMessage): [string, string][] {
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (typeof value === "string") headers.push([name, value]);
    else for (const part of value ?? []) headers.push([name, part]);
  }
  return headers;
}

const malformed = (cause?: unknown) =>
  new AppError("invalid", "The call is malformed.", { reason: "malformed_request" }, { cause });

type Mounted = {
  readonly handler: FetchHandler;
  /** Scheme, host and port of this deployment: the Host header is the caller's claim. */
  readonly origin: string;
  /** In bytes. */
  readonly bodyLimit: number;
  /** Aborts when the process goes down, so that whoever waits is let go. */
  readonly closing: AbortSignal;
  readonly onFailure: (error: unknown) => Response;
};

const isRead = ({ method = "GET" }: IncomingMessage) => method === "GET" || method === "HEAD";

async function toRequest(incoming: IncomingMessage, mounted: Mounted, signal: AbortSignal | null): Promise<Request> {
  const { method = "GET", url = "" } = incoming;
  if (!url.startsWith("/")) throw malformed();
  const body = isRead(incoming) ? null : await readBody(incoming, mounted.bodyLimit);
  try {
    return new Request(mounted.origin + url, { method, headers: headersOf(incoming), body, signal });
  } catch (cause) {
    throw malformed(cause);
  }
}

const isShort = (response: Response) =>
  /^application\/([a-z]+\+)?json\b/.test(response.headers.get("content-type") ?? "");

async function send(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  if (response.body === null || outgoing.req.method === "HEAD") {
    await response.body?.cancel();
    outgoing.end();
  } else if (isShort(response)) {
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  } else {
    outgoing.flushHeaders();
    await pipeline(Readable.fromWeb(response.body as NodeReadableStream), outgoing);
  }
}

/** Aborts when the caller goes away before its answer is out, or the process goes down. */
function goneSignal(outgoing: ServerResponse, closing: AbortSignal): { signal: AbortSignal; release: () => void } {
  const gone = new AbortController();
  const abort = () => gone.abort();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) abort();
  });
  closing.addEventListener("abort", abort);
  if (closing.aborted) abort();
  return { signal: gone.signal, release: () => closing.removeEventListener("abort", abort) };
}

/**
 * Answers one call with a fetch-style handler. The signal of a reading request aborts when nobody waits for it any more; what
 * changes something is carried to its end, waited for or not. Never rejects: a failure becomes `onFailure`'s response, or the end of the
 * connection once headers are out.
 */
export async function answer(incoming: IncomingMessage, outgoing: ServerResponse, mounted: Mounted): Promise<void> {
  const gone = isRead(incoming) ? goneSignal(outgoing, mounted.closing) : null;
  try {
    const request = await toRequest(incoming, mounted, gone?.signal ?? null);
    await send(outgoing, await mounted.handler(request));
  } catch (error) {
    if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy();
    await shedBody(incoming, outgoing);
    await send(outgoing, mounted.onFailure(error)).catch(() => outgoing.destroy());
  } finally {
    gone?.release();
  }
}
