import { type Backoff, inngestBackoff } from "@/inngest/local/backoff";
import type { Engine } from "@/inngest/local/engine-context";
import { listen, notifier } from "@/inngest/local/listen";
import { type LocalFunction, readFunctions } from "@/inngest/local/registration/check";
import { syncAnswerSchema } from "@/inngest/local/registration/config";
import { queueFiring } from "@/inngest/local/runs/handle-cron";
import { workOn } from "@/inngest/local/runs/work";
import { type CallSdk, sdkCaller, type Transport } from "@/inngest/local/sdk/call";
import { engineFetch } from "@/inngest/local/sdk/fetch";
import { createSignal } from "@/inngest/local/signal";
import { claimItems } from "@/inngest/local/store/claim";
import { type Clock, openDatabase } from "@/inngest/local/store/database";
import { nextDue } from "@/inngest/local/store/items";
import { pruneBatch } from "@/inngest/local/store/prune";
import { startWorker, type Worker, type WorkerOptions } from "@/inngest/local/worker";

const DAY_MS = 86_400_000;
const DEFAULTS = {
  leaseMs: 20_000,
  poolSize: 8,
  pollMs: 250,
  maxInFlight: 32,
  retentionMs: 7 * DAY_MS,
  pruneMs: 600_000,
};
const SERVE_URL = "http://countersign.local/api/inngest";

export type EngineOptions = Partial<WorkerOptions> & {
  /** The connection of the system role. */
  readonly systemDatabaseUrl: string;
  /** The `serve()` handler of the functions. */
  readonly transport: Transport;
  readonly signingKey: string;
  /** How long a process may be silent before its work is given to another, in ms. */
  readonly leaseMs?: number;
  readonly poolSize?: number;
  /** Whether the SDK may go on after a step within one request. On by default, as on Inngest. */
  readonly isCheckpointing?: boolean;
  /** Whether engines on one database wake each other. On by default; needs a connection of its own. */
  readonly isListening?: boolean;
  readonly clock?: Clock;
  readonly backoff?: Backoff;
};

export type LocalEngine = {
  /** For `new Inngest({ fetch })`. */
  readonly fetch: typeof fetch;
  /** Learns the functions from the handler. Throws UnsupportedFunctions, and when the handler refuses the signature. */
  readonly sync: () => Promise<void>;
  readonly start: () => Worker;
  /** For tests with a clock of their own: does what is due now, and answers how many items that were. */
  readonly runDue: () => Promise<number>;
  /** For tests: when the next item is due, in epoch ms. */
  readonly nextDue: () => Promise<number | undefined>;
  /** For tests: deletes what is past its time, and answers how many rows went. */
  readonly prune: () => Promise<number>;
  /** Closes the connections. Stop the worker first. */
  readonly close: () => Promise<void>;
};

async function learnFunctions(call: CallSdk): Promise<ReadonlyMap<string, LocalFunction>> {
  const headers = { "x-inngest-sync-kind": "in_band" };
  const answer = await call({ method: "PUT", headers, body: { url: SERVE_URL } });
  if (answer.status !== 200) throw new Error(`the Inngest handler answered its sync with ${answer.status}`);
  return readFunctions(syncAnswerSchema.parse(answer.body).functions);
}

async function syncFunctions(engine: Engine, learned: ReadonlyMap<string, LocalFunction>): Promise<void> {
  await engine.database.transaction(async (tx) => {
    for (const fn of learned.values()) {
      for (const schedule of fn.schedules) await queueFiring({ engine, tx }, fn.id, schedule);
    }
  });
}

async function runDue(engine: Engine, max: number): Promise<number> {
  const { leaseMs } = engine;
  const items = await engine.database.transaction((tx) => claimItems(tx, { max, leaseMs }));
  await Promise.all(items.map((item) => workOn(engine, item)));
  return items.length;
}

/** An Inngest engine for one machine, or a few that share a database: the server's side of the SDK's own protocol. */
export function createEngine(options: EngineOptions): LocalEngine {
  const settings = { ...DEFAULTS, isCheckpointing: true, isListening: true, backoff: inngestBackoff, ...options };
  const { systemDatabaseUrl: url, clock, transport, signingKey } = settings;
  const database = openDatabase({ url, max: settings.poolSize, ...(clock ? { clock } : {}) });
  const signal = createSignal();
  const notify = settings.isListening ? notifier(database) : () => {};
  let functions: ReadonlyMap<string, LocalFunction> = new Map();
  const engine: Engine = {
    database,
    functions: () => functions,
    call: sdkCaller({ transport, serveUrl: SERVE_URL, signingKey }),
    backoff: settings.backoff,
    isCheckpointing: settings.isCheckpointing,
    leaseMs: settings.leaseMs,
    wake: signal.raise,
  };
  let stopListening = async () => {};
  return {
    fetch: engineFetch({ ...engine, wake: () => [signal.raise(), notify()] }),
    sync: async () => {
      const learned = await learnFunctions(engine.call);
      await syncFunctions(engine, learned);
      functions = learned;
    },
    start: () => {
      if (settings.isListening) stopListening = listen(database, signal.raise);
      return startWorker(engine, signal, settings);
    },
    runDue: () => runDue(engine, settings.maxInFlight),
    nextDue: () => database.transaction(nextDue),
    prune: () => database.transaction((tx) => pruneBatch(tx, settings.retentionMs)),
    close: async () => {
      await stopListening();
      await database.close();
    },
  };
}
