import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { functions } from "@/inngest/functions";
import { createEngine } from "@/inngest/local/engine";
import { UnsupportedFunctions } from "@/inngest/local/registration/check";
import { serveHandler } from "@/inngest/serve";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { runOf } from "@/test/support/inngest/driver";
import { emptyEngine, type LocalDriver, localDriver, queryOnce } from "@/test/support/inngest/local-driver";
import { appOf, type Make, TEST_KEYS } from "@/test/support/inngest/test-client";

let database: TestDatabase;
let driver: LocalDriver | undefined;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() => emptyEngine(database.ownerUrl));
afterEach(async () => {
  await driver?.close();
  driver = undefined;
});

async function started(make: Make, isCheckpointing = true): Promise<LocalDriver> {
  const makeApp = (engine: { fetch: typeof fetch }) => appOf(engine.fetch, make);
  driver = await localDriver({ systemUrl: database.systemUrl, isCheckpointing, makeApp });
  return driver;
}

async function outcomeOf(make: Make, data: Record<string, unknown> = {}, isCheckpointing = true) {
  const on = await started(make, isCheckpointing);
  const id = await on.send("it/start", data);
  await on.pass(24);
  return runOf(on, id);
}

const trigger = { event: "it/start" };

test("the boot stops with every problem of every function in one list", async () => {
  const handler = async () => {};
  const problems = await started((client) => [
    client.createFunction({ id: "fine", triggers: trigger }, handler),
    client.createFunction({ id: "a", triggers: trigger, batchEvents: { maxSize: 5, timeout: "5s" } }, handler),
    client.createFunction({ id: "b", triggers: trigger, rateLimit: { limit: 1, period: "1m" } }, handler),
    client.createFunction({ id: "c", triggers: trigger, throttle: { limit: 1, period: "1m" } }, handler),
    client.createFunction({ id: "d", triggers: trigger, debounce: { period: "1m" } }, handler),
    client.createFunction({ id: "e", triggers: trigger, priority: { run: "event.data.p" } }, handler),
    client.createFunction({ id: "f", triggers: trigger, singleton: { mode: "skip" } }, handler),
    client.createFunction(
      { id: "g", triggers: trigger, timeouts: { start: "1m" }, idempotency: "event.data.x" },
      handler,
    ),
    client.createFunction(
      { id: "h", triggers: trigger, concurrency: { limit: 1, scope: "account", key: '"x"' } },
      handler,
    ),
    client.createFunction({ id: "i", triggers: { event: "it/*" } }, handler),
    client.createFunction({ id: "j", triggers: { cron: "*/5 * * * * *" } }, handler),
    client.createFunction({ id: "k", triggers: { event: "it/start", if: "event.data.n > 3" } }, handler),
    client.createFunction({ id: "l", triggers: trigger, cancelOn: [{ event: "x", if: "!async.data.y" }] }, handler),
    client.createFunction({ id: "m", triggers: trigger, retries: 20 }, handler),
    client.createFunction(
      { id: "n", triggers: Array.from({ length: 11 }, (_, index) => ({ event: `it/${index}` })) },
      handler,
    ),
    client.createFunction(
      { id: "o", triggers: trigger, cancelOn: Array.from({ length: 6 }, (_, index) => ({ event: `x/${index}` })) },
      handler,
    ),
    client.createFunction({ id: "p", triggers: { cron: "0 0 L * *" } }, handler),
  ]).then(
    () => [],
    (error: unknown) => (error instanceof UnsupportedFunctions ? error.problems : [String(error)]),
  );
  expect([...new Set(problems.map((problem) => problem.split(":")[0]))]).toEqual(
    ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "n", "o", "p"].map((id) => `app-${id}`),
  );
  expect(problems).toContain("app-g: option idempotency is not supported by the local engine");
  expect(problems).toContain("app-g: option timeouts is not supported by the local engine");
});

test("the product's own functions are accepted", async () => {
  const engine = createEngine({
    systemDatabaseUrl: database.systemUrl,
    transport: serveHandler(functions),
    signingKey: TEST_KEYS.signingKey,
  });
  try {
    await expect(engine.sync()).resolves.toBeUndefined();
  } finally {
    await engine.close();
  }
});

test("a handler with another signing key stops the boot", async () => {
  const signingKey = "signkey-test-ffffffffffffffffffffffffffffffff";
  await expect(localDriver({ systemUrl: database.systemUrl, signingKey })).rejects.toThrow("401");
});

describe("a run that asks for what the engine lacks fails at once and says what", () => {
  test.each<[string, Make]>([
    [
      "step.fetch",
      (client) => [
        client.createFunction({ id: "it", triggers: trigger }, ({ step }) => step.fetch("https://x.example")),
      ],
    ],
    [
      "step.waitForSignal",
      (client) => [
        client.createFunction({ id: "it", triggers: trigger }, ({ step }) =>
          step.waitForSignal("s", { signal: "s", timeout: "1h", onConflict: "fail" }),
        ),
      ],
    ],
    [
      "sendSignal",
      (client) => [
        client.createFunction({ id: "it", triggers: trigger }, ({ step }) =>
          step.sendSignal("s", { signal: "s", data: {} }),
        ),
      ],
    ],
    [
      "sendSignal",
      (client) => [
        client.createFunction({ id: "it", triggers: trigger }, async ({ step }) => {
          await step.run("outside of step tools", () => client.sendSignal({ signal: "s" }).catch(() => "swallowed"));
          return "as if nothing had happened";
        }),
      ],
    ],
    [
      "expression",
      (client) => [
        client.createFunction({ id: "it", triggers: trigger }, ({ step }) =>
          step.waitForEvent("w", { event: "x", timeout: "1h", if: "async.data.list.exists(x, x == 1)" }),
        ),
      ],
    ],
    [
      "must look at async",
      (client) => [
        client.createFunction({ id: "it", triggers: trigger }, ({ step }) =>
          step.waitForEvent("w", { event: "x", timeout: "1h", if: "event.data.a == 1" }),
        ),
      ],
    ],
    [
      "366 days",
      (client) => [client.createFunction({ id: "it", triggers: trigger }, ({ step }) => step.sleep("s", "400d"))],
    ],
  ])("%s", async (feature, make) => {
    for (const isCheckpointing of [false, true]) {
      const run = await outcomeOf(make, {}, isCheckpointing);
      expect(run).toMatchObject({ status: "failed", output: { message: expect.stringContaining(feature) } });
      await driver?.close();
      await emptyEngine(database.ownerUrl);
    }
    driver = undefined;
  });
});

test("the roles of the application cannot see the engine's tables, and the engine's cannot alter them", async () => {
  await expect(queryOnce(database.appUrl, "SELECT 1 FROM inngest_local.events")).rejects.toThrow("permission denied");
  await expect(queryOnce(database.systemUrl, "DROP TABLE inngest_local.keys")).rejects.toThrow("must be owner");
  await expect(queryOnce(database.systemUrl, "TRUNCATE inngest_local.keys")).rejects.toThrow("permission denied");
});
