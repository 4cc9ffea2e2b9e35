import { buildConnector, Client } from "undici";
import type { FailureCode } from "@/server/connectors/failures";
import { type BodyRead, readBody } from "@/server/connectors/http/read-body";
import { CONNECT_TIMEOUT_MS, isTlsError, pinnedLookup, TOTAL_TIMEOUT_MS } from "@/server/connectors/net/connect";
import { type Resolver, resolveTarget } from "@/server/connectors/net/resolve";
import { stopCode } from "@/server/connectors/net/stop-code";
import type { HttpMethod } from "@/server/domain/actions/http-request";
import { urlOf } from "@/server/domain/actions/http-request";
import type { Redactor } from "@/server/vault/redactor";

/** One request to one URL. */
export type Hop = {
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
};

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: BodyRead;
};

export type Exchange =
  | { readonly ok: true; readonly answer: Answer }
  /** `mayHaveReached` is false only where nothing of the request can have been read by the other side. */
  | { readonly ok: false; readonly code: FailureCode; readonly mayHaveReached: boolean };

export type Wire = {
  readonly signal: AbortSignal;
  readonly privateHosts: readonly string[];
  readonly redactor: Redactor;
  /** For tests: names without a name server, certificates without an authority. */
  readonly resolver?: Resolver | undefined;
  readonly ca?: string | undefined;
};

const MAX_HEADER_BYTES = 16_384;

/** Sends one request over a connection of its own to an address that was checked, and reads the answer. */
export async function exchange(hop: Hop, wire: Wire): Promise<Exchange> {
  const url = urlOf(hop.url);
  const resolved = await resolveTarget(url, wire);
  if (!resolved.ok) return { ok: false, code: resolved.code, mayHaveReached: false };
  const socket = { isOpen: false };
  const client = new Client(new URL(url.href).origin, {
    connect: noting(socket, { lookup: pinnedLookup(resolved.addresses), ca: wire.ca }),
    pipelining: 0,
    headersTimeout: TOTAL_TIMEOUT_MS,
    bodyTimeout: TOTAL_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  try {
    return { ok: true, answer: await send(client, hop, wire) };
  } catch (error) {
    return { ok: false, code: codeOf(error, wire.signal, socket.isOpen), mayHaveReached: socket.isOpen };
  } finally {
    // Nothing is left to say to the other side: what it still sends is not wanted.
    await client.destroy();
  }
}

type ConnectOptions = { readonly lookup: ReturnType<typeof pinnedLookup>; readonly ca: string | undefined };

/** Connects as undici does and notes when a connection stands: from then on the request may have been read. */
function noting(socket: { isOpen: boolean }, { lookup, ca }: ConnectOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup,
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamily: true,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    maxCachedSessions: 0,
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    connect(options, (...result) => {
      if (result[1]) socket.isOpen = true;
      callback(...result);
    });
  };
}

async function send(client: Client, hop: Hop, wire: Wire): Promise<Answer> {
  const { pathname, search } = new URL(hop.url);
  const response = await client.request({
    method: hop.method,
    path: `${pathname}${search}`,
    headers: hop.headers,
    body: hop.body ?? null,
    signal: wire.signal,
  });
  const headers = flat(response.headers);
  const contentType = headers["content-type"] ?? "";
  const encoding = (headers["content-encoding"] ?? "").trim().toLowerCase();
  const body = await readBody({ body: response.body, encoding, contentType }, wire.redactor);
  return { status: response.statusCode, headers, contentType, body };
}

const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value]],
    ),
  );

function codeOf(error: unknown, signal: AbortSignal, isOpen: boolean): FailureCode {
  if (signal.aborted) return stopCode(signal);
  if (!isOpen) return isTlsError(error) ? "tls_failed" : "connect_failed";
  const name = error instanceof Error ? error.name : "";
  if (name === "HeadersTimeoutError" || name === "BodyTimeoutError") return "timeout";
  return /^(HTTPParserError|HeadersOverflowError)$/.test(name) || isCoding(error)
    ? "response_malformed"
    : "connection_lost";
}

const isCoding = (error: unknown) =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  /^(Z_|ERR__ERROR_FORMAT|ERR_)/.test(error.code);
