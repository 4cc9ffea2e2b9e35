import { connectLocalEngine } from "@/inngest/client";
import { createEngine, type EngineOptions } from "@/inngest/local/engine";
import type { Health } from "@/inngest/local/worker";
import { type ServedFunctions, serveHandler } from "@/inngest/serve";

export type StartOptions = {
  /** The connection of the role countersign_system. */
  readonly systemDatabaseUrl: string;
  readonly functions: ServedFunctions;
  /** The keys that the process has as INNGEST_SIGNING_KEY; the SDK checks calls against it. */
  readonly keys: { readonly signingKey: string };
} & Pick<EngineOptions, "isCheckpointing" | "leaseMs" | "pollMs" | "maxInFlight">;

export type RunningEngine = {
  /** Takes no more work, waits up to ten seconds for what is under way, and closes the connections. */
  readonly stop: () => Promise<void>;
  readonly health: () => Promise<Health>;
};

const GRACE_MS = 10_000;

/**
 * Runs the functions on this machine, with their state in Postgres. Throws UnsupportedFunctions, listing every reason,
 * when they use what the engine lacks: the boot must stop. Several processes may share one database.
 */
export async function startLocalEngine(options: StartOptions): Promise<RunningEngine> {
  const { functions, keys, ...rest } = options;
  const engine = createEngine({ ...rest, transport: serveHandler(functions), signingKey: keys.signingKey });
  try {
    await engine.sync();
  } catch (error) {
    await engine.close();
    throw error;
  }
  connectLocalEngine(engine.fetch);
  const worker = engine.start();
  return {
    health: worker.health,
    stop: async () => {
      await worker.stop(GRACE_MS);
      connectLocalEngine(undefined);
      await engine.close();
    },
  };
}
