import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { connectLocalEngine, inngest, requestReady } from "@/inngest/client";
import { createEngine, type EngineOptions } from "@/inngest/local/engine";
import { type RunningEngine, startLocalEngine } from "@/inngest/start-local-engine";
import { wake } from "@/inngest/wake";
import { newId } from "@/server/db/new-id";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { advance, emptyEngine, HOUR_MS, localDriver, queryOnce } from "@/test/support/inngest/local-driver";
import { appOf, type Make, TEST_KEYS } from "@/test/support/inngest/test-client";

let database: TestDatabase;
let closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() => emptyEngine(database.ownerUrl));
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
});

async function until(isTrue: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error("not in time");
    await pause(20);
  }
}

/** An engine by the database's own clock. */
async function realEngine(make: Make, options: Partial<EngineOptions> = {}) {
  const engine = createEngine({
    systemDatabaseUrl: database.systemUrl,
    transport: (request) => app.handler(request),
    signingKey: TEST_KEYS.signingKey,
    poolSize: 4,
    ...options,
  });
  closing.push(engine.close);
  const app = appOf(engine.fetch, make);
  await engine.sync();
  const start = () => {
    const worker = engine.start();
    closing.push(() => worker.stop(1_000));
    return worker;
  };
  return { engine, client: app.client, start };
}

const count = async (table: string): Promise<unknown> =>
  (await queryOnce(database.ownerUrl, `SELECT count(*)::int AS count FROM inngest_local.${table}`))[0]?.count;

test("the product's client, handler and engine work together, and wake reaches a function", async () => {
  const seen: string[] = [];
  const ready = inngest.createFunction({ id: "ready", triggers: [requestReady] }, async ({ event, step }) => {
    await step.run("see", () => seen.push(event.data.requestId));
  });
  const keys = { signingKey: TEST_KEYS.signingKey };
  const running: RunningEngine = await startLocalEngine({
    systemDatabaseUrl: database.systemUrl,
    functions: [ready],
    keys,
  });
  closing.push(running.stop);
  const requestId = newId("toolRequest");
  await wake(requestReady.create({ organizationId: newId("organization"), requestId }));
  await until(() => seen.length > 0);
  expect(seen).toEqual([requestId]);
  expect(await running.health()).toMatchObject({ isReady: true });
});

test("wake never throws: not without an engine, with one that fails, nor for an event that is malformed", async () => {
  const event = requestReady.create({ organizationId: newId("organization"), requestId: newId("toolRequest") });
  connectLocalEngine(undefined);
  await expect(wake(event)).resolves.toBeUndefined();
  connectLocalEngine(async () => Response.json({ ids: [], status: 500, error: "down" }, { status: 500 }));
  closing.push(async () => connectLocalEngine(undefined));
  await expect(wake(event)).resolves.toBeUndefined();
  await expect(wake(requestReady.create({ organizationId: "x", requestId: "content" }))).resolves.toBeUndefined();
});

test("what an error of a step quotes is not stored", async () => {
  const secret = "dear customer";
  const failing = inngest.createFunction(
    { id: "failing", triggers: [requestReady], retries: 0, onFailure: async () => {} },
    async ({ step }) => {
      await step.run("quote", () => {
        throw Object.assign(new Error(secret), { code: "23505" });
      });
    },
  );
  const keys = { signingKey: TEST_KEYS.signingKey };
  const url = database.systemUrl;
  const running = await startLocalEngine({ systemDatabaseUrl: url, functions: [failing], keys });
  closing.push(running.stop);
  await wake(requestReady.create({ organizationId: newId("organization"), requestId: newId("toolRequest") }));
  const ended = "SELECT output FROM inngest_local.runs WHERE status = 'failed'";
  await until(async () => (await queryOnce(database.ownerUrl, ended)).length > 0);
  const tables = ["runs", "steps", "events", "items"];
  const stored = await Promise.all(tables.map((t) => queryOnce(database.ownerUrl, `SELECT * FROM inngest_local.${t}`)));
  expect(JSON.stringify(stored)).toContain("23505");
  expect(JSON.stringify(stored)).not.toContain(secret);
});

test("work that another engine queued is noticed by its signal, long before the next poll", async () => {
  const seen: unknown[] = [];
  const make: Make = (client) => [
    client.createFunction({ id: "f", triggers: { event: "it/start" } }, ({ event }) => seen.push(event.data.n)),
  ];
  const working = await realEngine(make, { pollMs: 120_000 });
  const sending = await realEngine(make);
  working.start();
  await until(async () => {
    await sending.client.send({ name: "it/start", data: { n: seen.length } });
    await pause(300);
    return seen.length > 0;
  });
});

test("an engine whose connections are all cut goes on", async () => {
  const seen: unknown[] = [];
  const { client, start } = await realEngine((c) => [
    c.createFunction({ id: "f", triggers: { event: "it/start" } }, ({ event }) => seen.push(event.data.n)),
  ]);
  const worker = start();
  await client.send({ name: "it/start", data: { n: 1 } });
  await until(() => seen.length === 1);
  await queryOnce(
    database.superuserUrl,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = $2",
    [database.name, "countersign-inngest"],
  );
  await client.send({ name: "it/start", data: { n: 2 } });
  await until(() => seen.length === 2);
  expect(seen).toEqual([1, 2]);
  expect(await worker.health()).toMatchObject({ isReady: true });
});

test("stopping waits for the step that is under way", async () => {
  const trace: string[] = [];
  const { client, start } = await realEngine((c) => [
    c.createFunction({ id: "f", triggers: { event: "it/start" } }, async ({ step }) => {
      await step.run("slow", async () => {
        trace.push("begun");
        await pause(300);
        trace.push("done");
      });
    }),
  ]);
  const worker = start();
  await client.send({ name: "it/start" });
  await until(() => trace.length > 0);
  await worker.stop(10_000);
  expect(trace).toEqual(["begun", "done"]);
  expect(await count("steps")).toBe(1);
  expect(await worker.health()).toMatchObject({ isReady: false, inFlight: 0 });
});

test("a step that takes longer than a lease keeps it", async () => {
  let calls = 0;
  const { client, start } = await realEngine(
    (c) => [
      c.createFunction({ id: "f", triggers: { event: "it/start" } }, ({ step }) =>
        step.run("long", async () => {
          calls += 1;
          await pause(3_500);
        }),
      ),
    ],
    { leaseMs: 2_500 },
  );
  start();
  await client.send({ name: "it/start" });
  await until(async () => (await count("steps")) === 1);
  expect(calls).toBe(1);
});

test("no more items are under way than allowed", async () => {
  let [now, most, done] = [0, 0, 0];
  const { client, start } = await realEngine(
    (c) => [
      c.createFunction({ id: "f", triggers: { event: "it/start" } }, async () => {
        now += 1;
        most = Math.max(most, now);
        await pause(30);
        now -= 1;
        done += 1;
      }),
    ],
    { maxInFlight: 3 },
  );
  start();
  await client.send(Array.from({ length: 12 }, (_, n) => ({ name: "it/start", data: { n } })));
  await until(() => done === 12);
  expect(most).toBeLessThanOrEqual(3);
});

test("what is past its time is pruned, and what runs or waits is kept", async () => {
  const driver = await localDriver({ systemUrl: database.systemUrl });
  closing.push(driver.close);
  const DAYS = 24 * HOUR_MS;
  await driver.send("outputs/start");
  await driver.send("task/requested", { taskId: 1 }, { id: "waits" });
  await driver.settle();
  await queryOnce(database.ownerUrl, "DELETE FROM inngest_local.items WHERE kind = 'timeout'");
  await advance(driver.engine, driver.clock, 8 * DAYS);
  await driver.send("outputs/start");
  await driver.settle();
  expect(await driver.engine.prune()).toBeGreaterThan(0);
  expect(await driver.engine.prune()).toBe(0);
  const rows = await queryOnce(
    database.ownerUrl,
    "SELECT function_id, status FROM inngest_local.runs ORDER BY function_id, status",
  );
  expect(rows).toEqual([
    { function_id: "conformance-approval", status: "running" },
    { function_id: "conformance-outputs", status: "completed" },
  ]);
  expect([await count("events"), await count("keys"), await count("steps")]).toEqual([1, 1, 3]);
});
