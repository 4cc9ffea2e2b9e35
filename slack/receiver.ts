import type { App, Receiver } from "@slack/bolt";
import { readPayload } from "@/slack/payload";
import { hashOfSignature, isSignedBySlack } from "@/slack/signature";
import { type Answer, type KeepAlive, take } from "@/slack/take";

export const SLACK_BODY_LIMIT = 262_144;

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

function responseOf(answer: Answer): Response {
  if (answer.status !== 200 || answer.body === undefined) return empty(answer.status);
  return typeof answer.body === "string" ? new Response(answer.body) : Response.json(answer.body);
}

/**
 * Takes Slack's calls over plain requests and answers, whatever server is around it. A call is signed, of this moment
 * and taken once, or nothing of it is looked at.
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
    return responseOf(await take(this.#app, { payload, hash: hashOfSignature(signature) }, keepAlive));
  }
}
