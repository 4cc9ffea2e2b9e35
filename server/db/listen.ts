import { EventEmitter } from "node:events";
import pg from "pg";
import { z } from "zod";
import { env } from "@/server/env";
import { log } from "@/server/log";

/** Something of an organization changed: opaque ids, no content. */
export type Change = { readonly orgId: string; readonly kind: string; readonly id: string };

const payload = z.object({ o: z.string(), k: z.string(), i: z.string() });
const RETRY_MS = 1_000;
const MAX_LISTENERS = 10_000;
const RECONNECTED = Symbol("reconnected");
const ANY = Symbol("any");

type Listener = { readonly emitter: EventEmitter; client: pg.Client | null; isStopped: boolean; since: number };
const shared = globalThis as { countersignListener?: Listener };

/** One connection a process, opened at the first subscription; it comes back by itself when it is lost. */
function listener(): Listener {
  if (shared.countersignListener) return shared.countersignListener;
  const emitter = new EventEmitter().setMaxListeners(MAX_LISTENERS);
  const made: Listener = { emitter, client: null, isStopped: false, since: 0 };
  shared.countersignListener = made;
  void connect(made);
  return made;
}

async function connect(state: Listener): Promise<void> {
  const client = new pg.Client({
    connectionString: env().APP_DATABASE_URL,
    application_name: "countersign-live",
    keepAlive: true,
  });
  client.on("error", () => undefined);
  client.on("end", () => lost(state));
  client.on("notification", (message) => publish(state, message.payload ?? ""));
  try {
    await client.connect();
    await client.query("LISTEN countersign");
    state.client = client;
    state.since = Date.now();
    // Whatever was missed meanwhile is found by reading again.
    state.emitter.emit(RECONNECTED);
    if (state.isStopped) await client.end();
  } catch {
    await client.end().catch(() => undefined);
  }
}

function lost(state: Listener): void {
  state.client = null;
  if (state.isStopped) return;
  log.warn({}, "the live connection to the database was lost");
  setTimeout(() => void connect(state), RETRY_MS).unref();
}

function publish(state: Listener, text: string): void {
  try {
    const { o, k, i } = payload.parse(JSON.parse(text));
    const change: Change = { orgId: o, kind: k, id: i };
    state.emitter.emit(o, change);
    state.emitter.emit(ANY, change);
  } catch {
    log.warn({}, "a notification was not what it should be");
  }
}

/**
 * Calls `handler` for each change of one organization until the returned function is called, and with the kind
 * `resync` whenever the connection is there again: whatever happened before that was not heard.
 */
export function onChange(orgId: string, handler: (change: Change) => void): () => void {
  const { emitter } = listener();
  const resync = () => handler({ orgId, kind: "resync", id: orgId });
  emitter.on(orgId, handler);
  emitter.on(RECONNECTED, resync);
  return () => {
    emitter.off(orgId, handler);
    emitter.off(RECONNECTED, resync);
  };
}

/**
 * The same for changes of every organization, for work of the product itself. `resync` is called whenever the
 * connection is there again.
 */
export function onAnyChange(handler: (change: Change) => void, resync: () => void): () => void {
  const { emitter } = listener();
  emitter.on(ANY, handler);
  emitter.on(RECONNECTED, resync);
  return () => {
    emitter.off(ANY, handler);
    emitter.off(RECONNECTED, resync);
  };
}

/** Closes the process's connection. */
export async function stopListening(): Promise<void> {
  const state = shared.countersignListener;
  delete shared.countersignListener;
  if (!state) return;
  state.isStopped = true;
  await state.client?.end().catch(() => undefined);
}
