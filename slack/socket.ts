import { createHash } from "node:crypto";
import { type App, LogLevel, type Receiver, SocketModeReceiver } from "@slack/bolt";
import { z } from "zod";
import { errorFields, log } from "@/server/log";
import { parsePayload } from "@/slack/payload";
import { take } from "@/slack/take";
import { clientOptions, quietLogger } from "@/slack/web-client";

const CALL_TIMEOUT_MS = 5_000;
/** Slack greets at once; a socket without a greeting is none. */
const HELLO_MS = 10_000;
const GOODBYE_MS = 2_000;

const envelopeSchema = z.looseObject({
  envelope_id: z.string().min(1).max(200),
  body: z.unknown(),
  ack: z.custom<(body?: unknown) => Promise<void>>((value) => typeof value === "function"),
});

/** An envelope that comes again is the same call, to whichever replica it comes. */
const hashOfEnvelope = (id: string): Buffer => createHash("sha256").update(`envelope:${id}`, "utf8").digest();

/** Reads as the library does, which by itself lets a message that it cannot read end the process. */
function contain(client: SocketModeReceiver["client"]): void {
  const readers = client.listeners("ws_message") as ((...message: unknown[]) => unknown)[];
  client.removeAllListeners("ws_message");
  client.on("ws_message", (...message: unknown[]) => {
    Promise.all(readers.map((read) => read(...message))).catch((error: unknown) =>
      log.warn(errorFields(error), "a message of Slack's could not be read"),
    );
  });
}

const after = (ms: number) => new Promise<"late">((resolve) => setTimeout(() => resolve("late"), ms).unref());

/**
 * Takes Slack's calls over a socket that we open, for deployments without a public address. What Slack's library brings
 * keeps the connection alive; whoever holds this opens it anew, since the library's own way ends the process when Slack
 * cannot be reached.
 */
export class SocketReceiver implements Receiver {
  /** Its own listeners reach nothing: it is given no app. */
  readonly #client: SocketModeReceiver["client"];
  readonly #working = new Set<Promise<unknown>>();
  #app: App | undefined;
  #isStopping = false;

  constructor(appToken: string) {
    this.#client = new SocketModeReceiver({
      appToken,
      logger: quietLogger,
      logLevel: LogLevel.ERROR,
      autoReconnectEnabled: false,
      installerOptions: { clientOptions: clientOptions(CALL_TIMEOUT_MS) },
    }).client;
    contain(this.#client);
    this.#client.on("slack_event", (event: unknown) => {
      this.#receive(event).catch((error: unknown) => log.error(errorFields(error), "an envelope of Slack's failed"));
    });
  }

  init(app: App): void {
    this.#app = app;
  }

  /** Resolves once Slack has greeted us. Throws where it does not. */
  async start(): Promise<void> {
    const opened = this.#client.start();
    if ((await Promise.race([opened, after(HELLO_MS)])) !== "late") return;
    opened.catch(() => undefined);
    await this.#close();
    throw new Error("Slack did not greet");
  }

  /** Resolves when an open socket is no longer one. */
  ended(): Promise<void> {
    return new Promise((resolve) => this.#client.once("disconnected", () => resolve()));
  }

  /** Takes nothing more, answers what was taken, then closes. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.allSettled(this.#working);
    await this.#close();
  }

  async #close(): Promise<void> {
    const isLate = (await Promise.race([this.#client.disconnect(), after(GOODBYE_MS)])) === "late";
    // Asked again, the library no longer waits for the other side's goodbye.
    if (isLate) await this.#client.disconnect();
  }

  /** What is not answered shows as failed in Slack; events come again. */
  async #receive(event: unknown): Promise<void> {
    const { envelope_id: id, body, ack } = envelopeSchema.parse(event);
    const payload = parsePayload(body);
    if (payload === null || this.#isStopping) return;
    const work = this.#track(take(this.#app, { payload, hash: hashOfEnvelope(id) }, (done) => void this.#track(done)));
    const answer = await work;
    if (answer.status === 200) await ack(answer.body);
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#working.delete(tracked));
    this.#working.add(tracked);
    return tracked;
  }
}
