import type { App, Receiver } from "@slack/bolt";
import { errorFields, log } from "@/server/log";
import { type Installation, takeCall } from "@/server/services/slack/take-call";
import { installationsOf, type Payload, readPayload } from "@/slack/payload";
import { hashOfSignature, isSignedBySlack } from "@/slack/signature";

export const SLACK_BODY_LIMIT = 262_144;
/** Slack gives up after three seconds; an answer of ours says so before. */
const ANSWER_MS = 2_800;

/** Keeps what goes on after the answer alive, where a process would end with it. */
export type KeepAlive = (work: Promise<unknown>) => void;

const empty = (status: number) => new Response(null, { status });

async function readBytes(request: Request): Promise<Uint8Array | null> {
  if (Number(request.headers.get("content-length") ?? 0) > SLACK_BODY_LIMIT || request.body === null) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > SLACK_BODY_LIMIT) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/**
 * Takes Slack's calls over plain requests and answers, whatever server is around it. A call is signed, of this moment
 * and taken once, or nothing of it is looked at. The answer waits for the listener's `ack`.
 */
export class FetchReceiver implements Receiver {
  readonly #secret: string;
  #app: App | undefined;

  constructor(secret: string) {
    this.#secret = secret;
  }

  init(app: App): void {
    this.#app = app;
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  async handle(request: Request, keepAlive: KeepAlive): Promise<Response> {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    const body = await readBytes(request);
    if (body === null) return empty(413);
    const signature = request.headers.get("x-slack-signature");
    const timestamp = request.headers.get("x-slack-request-timestamp");
    const call = { secret: this.#secret, timestamp, signature, body, nowMs: Date.now() };
    if (signature === null || !isSignedBySlack(call)) return empty(401);
    const payload = readPayload(body, request.headers.get("content-type"));
    if (payload === null) return empty(400);
    if (payload.type === "url_verification") return Response.json({ challenge: String(payload.challenge ?? "") });
    return this.#take(payload, hashOfSignature(signature), keepAlive);
  }

  async #take(payload: Payload, hash: Buffer, keepAlive: KeepAlive): Promise<Response> {
    const taken = await takeCall(installationsOf(payload), hash);
    if (taken.kind === "taken") return this.#process(payload, taken, keepAlive);
    // A second delivery is no mistake of Slack's: it gets the answer that ends it.
    if (taken.kind === "seen") return empty(200);
    log.warn({ installations: installationsOf(payload) }, "Slack called for a workspace that nobody connected");
    return empty(403);
  }

  #process(payload: Payload, { orgId, teamId }: Installation, keepAlive: KeepAlive): Promise<Response> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(empty(503)), ANSWER_MS);
      const answer = (response: Response) => {
        clearTimeout(timer);
        resolve(response);
      };
      const ack = async (value?: unknown) => {
        if (value === undefined || value === "") answer(empty(200));
        else answer(typeof value === "string" ? new Response(value) : Response.json(value));
      };
      const work = this.#app?.processEvent({ body: payload, ack, customProperties: { orgId, installation: teamId } });
      const done = Promise.resolve(work).then(
        () => answer(empty(404)),
        (error: unknown) => {
          log.error(errorFields(error), "a call of Slack's failed");
          answer(empty(500));
        },
      );
      keepAlive(done);
    });
  }
}
