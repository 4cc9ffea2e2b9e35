import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { runOf } from "@/test/support/inngest/driver";
import { emptyEngine, type LocalDriver, localDriver, queryOnce } from "@/test/support/inngest/local-driver";
import { appOf, type Make } from "@/test/support/inngest/test-client";

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

describe("limits are those of Inngest", () => {
  test("the output of a step may have 4 MB", async () => {
    const run = await outcomeOf((client) => [
      client.createFunction({ id: "it", triggers: trigger }, ({ step }) => step.run("big", () => "x".repeat(4 << 20))),
    ]);
    expect(run).toMatchObject({ status: "failed", output: { name: "output_too_large" } });
  });

  test.each([
    ["1000 steps", "steps", 998],
    ["32 MB of state", "bytes", 32 * 1_048_576 - 60],
  ])("a run may have %s", async (_limit, field, almost) => {
    for (const isCheckpointing of [false, true]) {
      const on = await started(
        (client) => [
          client.createFunction({ id: "it", triggers: trigger }, async ({ step }) => {
            await step.sleep("s", "1h");
            await step.run("within", () => 1);
            await step.run("beyond", () => "x".repeat(50));
          }),
        ],
        isCheckpointing,
      );
      const id = await on.send("it/start");
      await on.settle();
      const [from, to] = [`"${field}":0`, `"${field}":${almost}`];
      const nearly = "UPDATE inngest_local.runs SET state = replace(state, $1, $2)";
      await queryOnce(database.ownerUrl, nearly, [from, to]);
      await on.pass(2);
      expect(await runOf(on, id)).toMatchObject({ status: "failed", output: { name: "InngestErrFunctionOverflowed" } });
      await on.close();
      await emptyEngine(database.ownerUrl);
    }
    driver = undefined;
  });

  test("a parent fails too when the answer of what it invoked is too large for it", async () => {
    const run = await outcomeOf((client) => {
      const child = client.createFunction({ id: "child", triggers: { event: "child/start" } }, () =>
        "x".repeat(4 << 20),
      );
      return [
        child,
        client.createFunction({ id: "it", triggers: trigger }, ({ step }) =>
          step.invoke("c", { function: child, data: {} }),
        ),
      ];
    });
    expect(run).toMatchObject({ status: "failed", output: { name: "output_too_large" } });
  });

  test("an event may have 256 KiB, a name and no control characters", async () => {
    const on = await started((client) => [client.createFunction({ id: "it", triggers: trigger }, async () => {})]);
    const post = async (body: unknown) => {
      const answer = await on.engine.fetch("http://any.example/e/key", { method: "POST", body: JSON.stringify(body) });
      return answer.status;
    };
    expect(await post({ name: "it/start", data: { text: "x".repeat(256 * 1024) } })).toBe(413);
    expect(await post({ name: "it/start", data: { text: "x".repeat(255 * 1024) } })).toBe(200);
    expect(await post({ name: "", data: {} })).toBe(400);
    expect(await post({ name: "a\u0000b", data: {} })).toBe(400);
    expect(await post({ name: "it/start", id: "a\u0000b", data: {} })).toBe(400);
    expect(await post({ name: "inngest/function.failed", data: {} })).toBe(400);
    expect(await post([{ name: "it/start" }, { name: "" }])).toBe(400);
    expect(await post("text")).toBe(400);
    const [row] = await queryOnce(database.ownerUrl, "SELECT count(*)::int AS events FROM inngest_local.events");
    expect(row).toEqual({ events: 1 });
  });

  test("odd values in events cannot stop the queue", async () => {
    const on = await started((client) => [
      client.createFunction(
        { id: "it", triggers: trigger, concurrency: { limit: 1, key: "event.data.key" } },
        ({ step }) => step.waitForEvent("w", { event: "it/go", timeout: "1h", match: "data.key" }),
      ),
    ]);
    const keys = ["\u0000", "x".repeat(100_000), null, { a: [1] }, -0, "\ud800"];
    const ids: string[] = [];
    for (const key of keys) ids.push(await on.send("it/start", { key }));
    await on.settle();
    for (const key of keys) await on.send("it/go", { key });
    await on.settle();
    const statuses = await Promise.all(ids.map(async (id) => (await runOf(on, id)).status));
    expect(statuses).toEqual(keys.map(() => "completed"));
  });

  test("an event id starts a function again after a day", async () => {
    const on = await started((client) => [client.createFunction({ id: "it", triggers: trigger }, async () => {})]);
    const runs = async () => {
      await on.send("it/start", {}, { id: "the-same" });
      await on.settle();
      const [row] = await queryOnce(database.ownerUrl, "SELECT count(*)::int AS runs FROM inngest_local.runs");
      return row?.runs;
    };
    expect(await runs()).toBe(1);
    await on.pass(23);
    expect(await runs()).toBe(1);
    await on.pass(1);
    expect(await runs()).toBe(2);
  });

  test("a request that is sent again makes the same events", async () => {
    const on = await started((client) => [client.createFunction({ id: "it", triggers: trigger }, async () => {})]);
    const headers = { "x-inngest-event-id-seed": "1743130137367,eii2YKXRVTJPuA==" };
    const post = (body: unknown) =>
      on.engine.fetch("http://any.example/e/key", { method: "POST", body: JSON.stringify(body), headers });
    for (let round = 0; round < 2; round += 1) await post([{ name: "it/start" }, { name: "it/start" }]);
    await on.settle();
    const [row] = await queryOnce(database.ownerUrl, "SELECT count(*)::int AS runs FROM inngest_local.runs");
    expect(row).toEqual({ runs: 2 });
  });
});
