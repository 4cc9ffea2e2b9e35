import { functions } from "@/inngest/functions";
import { startLocalEngine } from "@/inngest/start-local-engine";
import { env } from "@/server/env";
import type { ReadinessCheck } from "./readiness";

export type DurableWork = { readonly check: ReadinessCheck; stop(): Promise<void> };

const remote: DurableWork = {
  check: { name: "durable work", missing: async () => null },
  stop: async () => undefined,
};

/** Starts the engine of this machine, unless Inngest itself drives the functions. */
export async function startDurableWork(): Promise<DurableWork> {
  const { INNGEST_ENGINE, INNGEST_SIGNING_KEY, SYSTEM_DATABASE_URL } = env();
  if (INNGEST_ENGINE === "remote") return remote;
  const engine = await startLocalEngine({
    systemDatabaseUrl: SYSTEM_DATABASE_URL,
    functions,
    keys: { signingKey: INNGEST_SIGNING_KEY },
  });
  return {
    check: {
      name: "durable work",
      missing: async () => ((await engine.health()).isReady ? null : "durable work: the engine is not running"),
    },
    stop: engine.stop,
  };
}
