import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { z } from "zod";
import { acceptSocket, type ServerSocket } from "./web-socket";

/** The app-level token of the demo's app. */
export const DEMO_APP_TOKEN = "xapp-1-A0DEMO0000-0000000000-countersign";
/** As long as Slack waits before it tells the person that it failed. */
const ACK_MS = 3_000;

const ackSchema = z.looseObject({
  envelope_id: z.string(),
  payload: z.record(z.string(), z.unknown()).default({}),
});

type Kind = "interactive" | "slash_commands" | "events_api";
type Body = Readonly<Record<string, unknown>>;
export type Envelope = { readonly id: string; readonly kind: Kind; readonly payload: Body };

/** Slack's side of Socket Mode: addresses that are good once, envelopes that wait for their answer, and goodbyes. */
export class DemoSockets {
  readonly #open = new Set<ServerSocket>();
  readonly #tickets = new Set<string>();
  readonly #waiting: { readonly id: string; readonly end: (answer: Body) => void }[] = [];
  /** What was delivered, the newest last. */
  readonly envelopes: Envelope[] = [];
  /** What it says to whoever asks for an address. */
  refuses: string | null = null;

  get count(): number {
    return this.#open.size;
  }

  /** What `apps.connections.open` answers. */
  ticket(token: string, host: string): Body {
    if (this.refuses !== null || token !== DEMO_APP_TOKEN) return { ok: false, error: this.refuses ?? "invalid_auth" };
    const ticket = randomBytes(16).toString("hex");
    this.#tickets.add(ticket);
    return { ok: true, url: `ws://${host}/link/?ticket=${ticket}` };
  }

  /** Takes a client that comes with a ticket, and greets it. */
  accept(request: IncomingMessage, socket: Duplex): void {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname !== "/link/" || !this.#tickets.delete(searchParams.get("ticket") ?? "")) {
      socket.end("HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n");
      return;
    }
    const client = acceptSocket(request, socket, {
      onText: (text) => this.#answered(text),
      onEnd: () => void this.#open.delete(client),
    });
    this.#open.add(client);
    client.send(JSON.stringify({ type: "hello", num_connections: this.#open.size }));
  }

  /** Sends what was pressed or typed over the newest socket; answers as an address would. */
  async deliver(kind: Kind, payload: Body, id: string = randomUUID()): Promise<Response> {
    const client = [...this.#open].at(-1);
    if (client === undefined) return new Response(null, { status: 503 });
    this.envelopes.push({ id, kind, payload });
    const answer = await this.#ask(client, { type: kind, envelope_id: id, accepts_response_payload: true, payload });
    if (answer === null) return new Response(null, { status: 504 });
    return new Response(Object.keys(answer).length === 0 ? "" : JSON.stringify(answer));
  }

  /** Asks every client to come back over a new socket, as Slack does from time to time. */
  refresh(): void {
    this.say(JSON.stringify({ type: "disconnect", reason: "refresh_requested" }));
  }

  /** Says something to every client, whatever it is. */
  say(text: string): void {
    for (const client of this.#open) client.send(text);
  }

  /** Loses every connection without a word. */
  drop(): void {
    for (const client of this.#open) client.drop();
  }

  #ask(client: ServerSocket, envelope: Body): Promise<Body | null> {
    return new Promise((resolve) => {
      const end = (answer: Body | null) => {
        clearTimeout(timer);
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        resolve(answer);
      };
      const timer = setTimeout(() => end(null), ACK_MS);
      const waiting = { id: String(envelope.envelope_id), end };
      this.#waiting.push(waiting);
      client.send(JSON.stringify(envelope));
    });
  }

  #answered(text: string): void {
    const { envelope_id: id, payload } = ackSchema.parse(JSON.parse(text));
    this.#waiting.find((waiting) => waiting.id === id)?.end(payload);
  }
}
