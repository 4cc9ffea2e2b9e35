import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { runOf } from "@/test/support/inngest/driver";
import { emptyEngine, type LocalDriver, localDriver, queryOnce } from "@/test/support/inngest/local-driver";
import { appOf, type Make } from "@/test/support/inngest/test-client";

const LEASE_MS = 20_000;
let database: TestDatabase;
let driver: LocalDriver;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(() => emptyEngine(database.ownerUrl));
afterEach(() => driver.close());

const query = (text: string) => queryOnce(database.ownerUrl, text);

/** What a process that dies while it holds everything that is due leaves behind. */
const leaseAllToTheDead = (until: number) =>
  queryOnce(database.ownerUrl, "UPDATE inngest_local.items SET lease = 'dead', lease_until = $1 WHERE lease IS NULL", [
    new Date(until),
  ]);

/** A serve handler whose next answer waits until it is let go. */
function gate() {
  let release = () => {};
  let reached = () => {};
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    reached = resolve;
  });
  return { open, release: () => release(), arrived, arrive: () => reached() };
}

describe.each([false, true])("checkpointing %s", (isCheckpointing) => {
  beforeEach(async () => {
    driver = await localDriver({ systemUrl: database.systemUrl, isCheckpointing, leaseMs: LEASE_MS });
  });

  test("after a restart a waiting run goes on and its steps are not run again", async () => {
    const id = await driver.send("task/requested", { taskId: 1 });
    await driver.settle();
    driver = await driver.restart();
    await driver.send("task/decided", { approvalId: "ap_1", decision: "yes", by: "bob" });
    await driver.settle();
    expect((await runOf(driver, id)).output).toEqual({ outcome: "yes", by: "bob" });
    expect(driver.trace).toEqual(["plan", "act"]);
  });

  test("after a restart a sleeping run wakes at its time", async () => {
    const id = await driver.send("sleep/start", { until: new Date(driver.inHours(3)).toISOString() });
    await driver.pass(1);
    driver = await driver.restart();
    await driver.pass(3);
    expect(driver.trace).toEqual(["a", "b", "c"]);
    expect((await runOf(driver, id)).output).toBe("rested");
  });

  test("what a dead process held is done when its lease is over, and not before", async () => {
    await driver.send("task/requested", { taskId: 1 });
    await driver.engine.runDue();
    await leaseAllToTheDead(driver.clock.now + LEASE_MS);
    await driver.settle();
    expect(driver.trace).toEqual([]);
    driver.clock.now += LEASE_MS;
    await driver.settle();
    expect(driver.trace).toEqual(["plan"]);
  });

  test("a step that ends its process each time fails the run in the end", async () => {
    const id = await driver.send("task/requested", { taskId: 1 });
    await driver.engine.runDue();
    for (let death = 0; death < 11; death += 1) {
      await query("UPDATE inngest_local.items SET lapses = lapses + 1");
    }
    await driver.settle();
    expect(await runOf(driver, id)).toMatchObject({ status: "failed", output: { name: "WorkerLost" } });
    expect(driver.trace).toEqual([]);
  });

  test("everything that follows from one answer happens or nothing does", async () => {
    await query(`CREATE FUNCTION inngest_local.fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'disk full'; END $$`);
    await query(`CREATE TRIGGER fail BEFORE INSERT ON inngest_local.pauses FOR EACH ROW
      WHEN (NEW.kind = 'wait') EXECUTE FUNCTION inngest_local.fail()`);
    const id = await driver.send("ask/start", { id: "q1" });
    await driver.engine.runDue();
    await expect(driver.engine.runDue()).rejects.toThrow("disk full");
    expect(await query("SELECT id FROM inngest_local.items WHERE kind = 'step'")).toEqual([]);
    await query("DROP FUNCTION inngest_local.fail() CASCADE");
    await driver.pass(0.1);
    expect((await runOf(driver, id)).output).toBe(42);
  });
});

test("an answer that comes after the lease was lost is dropped", async () => {
  const held = gate();
  let calls = 0;
  driver = await localDriver({ systemUrl: database.systemUrl, isCheckpointing: false, leaseMs: LEASE_MS });
  const slow = await localDriver({
    systemUrl: database.systemUrl,
    isCheckpointing: false,
    leaseMs: LEASE_MS,
    clock: driver.clock,
    trace: driver.trace,
    transport: async (request) => {
      const answer = await driver.app.handler(request);
      if (request.method === "POST" && calls++ === 0) {
        held.arrive();
        await held.open;
      }
      return answer;
    },
  });
  try {
    const id = await driver.send("task/requested", { taskId: 1 });
    await driver.engine.runDue();
    const late = slow.engine.runDue();
    await held.arrived;
    driver.clock.now += LEASE_MS;
    await driver.settle();
    held.release();
    await late;
    await driver.send("task/decided", { approvalId: "ap_1", decision: "yes", by: "bob" });
    await driver.settle();
    expect(driver.trace).toEqual(["plan", "plan", "act"]);
    expect((await runOf(driver, id)).status).toBe("completed");
    expect(await query("SELECT count(*)::int AS steps FROM inngest_local.steps")).toEqual([{ steps: 3 }]);
  } finally {
    await slow.close();
  }
});

test("a checkpoint that comes after the lease was lost stops the SDK", async () => {
  const trace: string[] = [];
  const make: Make = (client) => [
    client.createFunction({ id: "robbed", triggers: { event: "robbed/start" } }, async ({ step }) => {
      await step.run("one", async () => {
        trace.push("one");
        await query("UPDATE inngest_local.items SET lease = 'another'");
      });
      await step.run("two", () => trace.push("two"));
    }),
  ];
  driver = await localDriver({
    systemUrl: database.systemUrl,
    leaseMs: LEASE_MS,
    makeApp: (engine) => appOf(engine.fetch, make),
  });
  const id = await driver.send("robbed/start");
  await driver.settle();
  expect(trace).toEqual(["one"]);
  expect((await runOf(driver, id)).status).toBe("running");
  expect(await query("SELECT count(*)::int AS steps FROM inngest_local.steps")).toEqual([{ steps: 0 }]);
});

test("a run goes on when a step that was checkpointed is reported again", async () => {
  const trace: string[] = [];
  const make: Make = (client) => [
    client.createFunction({ id: "twice", triggers: { event: "twice/start" } }, async ({ step }) => {
      const one = await step.run("one", () => trace.push("one"));
      return [one, await step.run("two", () => trace.push("two"))];
    }),
  ];
  let isLost = true;
  const losing =
    (engineFetch: typeof fetch): typeof fetch =>
    async (input, init) => {
      const answer = await engineFetch(input, init);
      return isLost && input instanceof URL && input.pathname.includes("/checkpoint/")
        ? new Response("lost", { status: 500 })
        : answer;
    };
  driver = await localDriver({
    systemUrl: database.systemUrl,
    makeApp: (engine) => appOf(losing(engine.fetch), make),
  });
  const id = await driver.send("twice/start");
  await driver.engine.runDue();
  await driver.engine.runDue();
  isLost = false;
  await driver.settle();
  expect(trace).toEqual(["one", "two"]);
  expect(await runOf(driver, id)).toEqual({ status: "completed", output: [1, 2] });
});

test("the result of a step whose run was cancelled meanwhile is dropped", async () => {
  const make: Make = (client) => [
    client.createFunction(
      { id: "stopped", triggers: { event: "stopped/start" }, cancelOn: [{ event: "stopped/stop", match: "data.n" }] },
      async ({ step }) => {
        await step.run("one", async () => {
          await client.send({ name: "stopped/stop", data: { n: 1 } });
          await driver.engine.runDue();
        });
        await step.run("two", () => "never");
      },
    ),
  ];
  driver = await localDriver({
    systemUrl: database.systemUrl,
    makeApp: (engine) => appOf(engine.fetch, make),
  });
  const id = await driver.send("stopped/start", { n: 1 });
  await driver.settle();
  expect((await runOf(driver, id)).status).toBe("cancelled");
  expect(await query("SELECT count(*)::int AS steps FROM inngest_local.steps")).toEqual([{ steps: 0 }]);
  expect(await query("SELECT count(*)::int AS items FROM inngest_local.items")).toEqual([{ items: 0 }]);
});
