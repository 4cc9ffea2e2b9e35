import { serve } from "inngest/edge";
import { createEngine, type EngineOptions } from "@/inngest/local/engine";
import type { Effects } from "@/test/support/inngest/effects";
import { TEST_KEYS, testClient } from "@/test/support/inngest/test-client";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
export const STEPS = ["a", "b", "c", "d", "left", "right"] as const;

/**
 * Functions for tests with real processes and real time: `durable` has four steps, a wait and two parallel steps,
 * `exclusive` may run one step at a time.
 */
export function durableApp(options: { systemUrl: string; effects: Effects; stepMs: number } & Partial<EngineOptions>) {
  const { systemUrl, effects, stepMs, ...engineOptions } = options;
  const engine = createEngine({
    systemDatabaseUrl: systemUrl,
    transport: (request) => handler(request),
    signingKey: TEST_KEYS.signingKey,
    poolSize: 4,
    pollMs: 50,
    backoff: () => 200,
    ...engineOptions,
  });
  const client = testClient("durable", engine.fetch);
  const act = async (n: number, step: string) => {
    await effects.record(n, step);
    await pause(stepMs);
    return `${step}${n}`;
  };
  const durable = client.createFunction(
    { id: "durable", triggers: { event: "durable/start" } },
    async ({ event, step }) => {
      const n = event.data.n as number;
      const first: string[] = [];
      for (const name of ["a", "b", "c", "d"]) first.push(await step.run(name, () => act(n, name)));
      const go = await step.waitForEvent("go", { event: "durable/go", timeout: "10m", match: "data.n" });
      const both = ["left", "right"].map((name) => step.run(name, () => act(n, name)));
      return [...first, go ? "went" : "gave up", ...(await Promise.all(both))].join(" ");
    },
  );
  const exclusive = client.createFunction(
    { id: "exclusive", triggers: { event: "exclusive/start" }, concurrency: { limit: 1, key: "event.data.key" } },
    ({ event, step }) =>
      step.run("hold", async () => {
        await effects.record(event.data.n as number, "in");
        await pause(stepMs);
        await effects.record(event.data.n as number, "out");
      }),
  );
  const handler = serve({ client, functions: [durable, exclusive] });
  return { engine, client };
}

/** What run `n` of `durable` returns when it went as it should. */
export const durableResult = (n: number): string => `a${n} b${n} c${n} d${n} went left${n} right${n}`;
