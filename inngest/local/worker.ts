import type { Engine } from "@/inngest/local/engine-context";
import type { LeasedItem } from "@/inngest/local/model";
import { workOn } from "@/inngest/local/runs/work";
import type { Signal } from "@/inngest/local/signal";
import { claimItems } from "@/inngest/local/store/claim";
import { extendLeases, oldestWaitMs } from "@/inngest/local/store/items";
import { pruneBatch } from "@/inngest/local/store/prune";
import { errorFields, log } from "@/server/log";

export type WorkerOptions = {
  readonly pollMs: number;
  readonly maxInFlight: number;
  readonly retentionMs: number;
  readonly pruneMs: number;
};

export type Health = {
  /** Whether the engine has looked for work in the last ten seconds. */
  readonly isReady: boolean;
  readonly inFlight: number;
  /** How long the oldest due item has been waiting; undefined when the database does not answer. */
  readonly oldestWaitMs: number | undefined;
};

export type Worker = {
  /** Takes no more work and waits for what is under way, at most `graceMs`; what is left is due again by its lease. */
  readonly stop: (graceMs: number) => Promise<void>;
  readonly health: () => Promise<Health>;
};

const READY_MS = 10_000;
const MAX_FAILURE_MS = 5_000;

type State = { readonly inFlight: Map<string, LeasedItem>; readonly tasks: Set<Promise<void>>; lastClaimAt: number };

async function work(engine: Engine, item: LeasedItem): Promise<void> {
  try {
    await workOn(engine, item);
  } catch (error) {
    log.error({ item: item.id, kind: item.work.kind, ...errorFields(error) }, "an item failed and will be due again");
  }
}

function begin(engine: Engine, state: State, item: LeasedItem): void {
  state.inFlight.set(item.lease, item);
  const task = work(engine, item).then(() => {
    state.inFlight.delete(item.lease);
    state.tasks.delete(task);
    engine.wake();
  });
  state.tasks.add(task);
}

async function claimMore(engine: Engine, state: State, maxInFlight: number): Promise<void> {
  const max = maxInFlight - state.inFlight.size;
  if (max > 0) {
    const { leaseMs } = engine;
    const items = await engine.database.transaction((tx) => claimItems(tx, { max, leaseMs }));
    for (const item of items) begin(engine, state, item);
  }
  state.lastClaimAt = performance.now();
}

/** Runs `task` every `ms` until stopped, never twice at once; a failure is logged and tried again. */
function every(ms: number, name: string, task: () => Promise<unknown>): () => void {
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    task()
      .catch((error: unknown) => log.warn({ task: name, ...errorFields(error) }, "the local Inngest engine failed"))
      .finally(() => {
        isBusy = false;
      });
  }, ms);
  timer.unref();
  return () => clearInterval(timer);
}

async function extend(engine: Engine, state: State): Promise<void> {
  const items = [...state.inFlight.values()];
  if (items.length > 0) await engine.database.transaction((tx) => extendLeases(tx, items, engine.leaseMs));
}

const MAX_BATCHES = 100;

async function prune(engine: Engine, retentionMs: number): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await engine.database.transaction((tx) => pruneBatch(tx, retentionMs))) === 0) return;
  }
}

async function afterGrace(tasks: ReadonlySet<Promise<void>>, graceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([Promise.all(tasks), grace]);
  clearTimeout(timer);
}

/** Starts working on whatever is due, until stopped. `signal` cuts the waiting short. */
export function startWorker(engine: Engine, signal: Signal, options: WorkerOptions): Worker {
  const state: State = { inFlight: new Map(), tasks: new Set(), lastClaimAt: performance.now() };
  let isStopped = false;
  const loop = async () => {
    for (let failures = 0; !isStopped; ) {
      try {
        await claimMore(engine, state, options.maxInFlight);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) log.error(errorFields(error), "the local Inngest engine cannot look for work");
      }
      await signal.wait(failures === 0 ? options.pollMs : Math.min(options.pollMs * 2 ** failures, MAX_FAILURE_MS));
    }
  };
  const looping = loop();
  const stopTimers = [
    every(engine.leaseMs / 4, "extend leases", () => extend(engine, state)),
    every(options.pruneMs, "prune", () => prune(engine, options.retentionMs)),
  ];
  return {
    stop: async (graceMs) => {
      isStopped = true;
      signal.raise();
      await looping;
      await afterGrace(state.tasks, graceMs);
      for (const stop of stopTimers) stop();
    },
    health: async () => ({
      isReady: !isStopped && performance.now() - state.lastClaimAt < READY_MS,
      inFlight: state.inFlight.size,
      oldestWaitMs: await engine.database.transaction(oldestWaitMs).catch(() => undefined),
    }),
  };
}
