import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { durableApp, durableResult, STEPS } from "@/test/support/inngest/durable-app";
import { CREATE_EFFECTS, openEffects } from "@/test/support/inngest/effects";
import { emptyEngine, queryOnce } from "@/test/support/inngest/local-driver";
import { kill, spawnWorker } from "@/test/support/inngest/spawn-worker";

const DEADLINE_MS = 100_000;
let database: TestDatabase;
let urls: { systemUrl: string; effectsUrl: string };
let children: ChildProcess[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  urls = { systemUrl: database.systemUrl, effectsUrl: database.ownerUrl };
  await queryOnce(database.ownerUrl, CREATE_EFFECTS);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await emptyEngine(database.ownerUrl);
  await queryOnce(database.ownerUrl, "TRUNCATE effects");
});
afterEach(async () => {
  await Promise.all(children.map(kill));
  children = [];
});

const query = (text: string) => queryOnce(database.ownerUrl, text);
const count = async (text: string): Promise<number> => Number((await query(text))[0]?.count);

type Send = (name: string, data: Record<string, unknown>) => Promise<void>;

/** An engine that takes events and works on nothing. */
async function withSender(use: (send: Send) => Promise<void>): Promise<void> {
  const effects = openEffects(database.ownerUrl);
  const { engine, client } = durableApp({ systemUrl: database.systemUrl, effects, stepMs: 0 });
  try {
    await use(async (name, data) => {
      await client.send({ name, data });
    });
  } finally {
    await engine.close();
    await effects.close();
  }
}

const unfinished = () => count("SELECT count(*) FROM inngest_local.runs WHERE status = 'running'");
const finished = () => count("SELECT count(*) FROM inngest_local.runs WHERE status <> 'running'");

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`not done in time: ${await unfinished()} runs are unfinished`);
    await pause(200);
  }
}

const WAITING = `SELECT r.event::jsonb -> 'data' ->> 'n' AS n FROM inngest_local.pauses p
  JOIN inngest_local.runs r ON r.id = p.run_id WHERE p.kind = 'wait'`;

async function answerAll(send: Send): Promise<void> {
  await Promise.all((await query(WAITING)).map(({ n }) => send("durable/go", { n: Number(n) })));
}

async function expectAllRight(runs: number): Promise<void> {
  const rows = await query("SELECT status, output, event::jsonb -> 'data' ->> 'n' AS n FROM inngest_local.runs");
  expect(rows).toHaveLength(runs);
  for (const { status, output, n } of rows) {
    expect([status, JSON.parse(String(output))]).toEqual(["completed", { result: durableResult(Number(n)) }]);
  }
  expect(await count("SELECT count(*) FROM inngest_local.items")).toBe(0);
  expect(await count("SELECT count(*) FROM inngest_local.pauses")).toBe(0);
  expect(await count("SELECT count(*) FROM (SELECT DISTINCT n, step FROM effects) d")).toBe(runs * STEPS.length);
}

describe.each([false, true])("checkpointing %s", (isCheckpointing) => {
  test("a process that is killed again and again loses no run and no result", { timeout: 180_000 }, async () => {
    const runs = 10;
    await withSender(async (send) => {
      await Promise.all(Array.from({ length: runs }, (_, n) => send("durable/start", { n })));
      for (let round = 0; round < 4; round += 1) {
        const child = await spawnWorker(urls, { isCheckpointing, leaseMs: 2_000 });
        children.push(child);
        await pause(150 + Math.random() * 500);
        await answerAll(send);
        await pause(Math.random() * 300);
        await kill(child);
      }
      children.push(await spawnWorker(urls, { isCheckpointing, leaseMs: 2_000 }));
      await until(async () => {
        await answerAll(send);
        return (await finished()) === runs;
      });
    });
    await until(async () => (await count("SELECT count(*) FROM inngest_local.items")) === 0);
    await expectAllRight(runs);
  });
});

describe("two processes on one database", () => {
  beforeEach(async () => {
    const options = { isCheckpointing: false, leaseMs: 20_000 };
    children.push(...(await Promise.all([spawnWorker(urls, options), spawnWorker(urls, options)])));
  });

  test("share the work and do each step once", { timeout: 180_000 }, async () => {
    const runs = 16;
    await withSender(async (send) => {
      await Promise.all(Array.from({ length: runs }, (_, n) => send("durable/start", { n })));
      const waiting = "SELECT count(*) FROM inngest_local.pauses WHERE kind = 'wait'";
      await until(async () => (await count(waiting)) === runs);
      await Promise.all(Array.from({ length: runs }, (_, n) => send("durable/go", { n })));
      await until(async () => (await finished()) === runs);
    });
    await expectAllRight(runs);
    expect(await count("SELECT count(*) FROM effects")).toBe(runs * STEPS.length);
    expect(await count("SELECT count(DISTINCT pid) FROM effects")).toBe(2);
  });

  test("together keep a concurrency limit", { timeout: 180_000 }, async () => {
    const runs = 16;
    await withSender(async (send) => {
      const keys = ["x", "y"];
      await Promise.all(
        Array.from({ length: runs }, (_, n) => send("exclusive/start", { n, key: keys[n % keys.length] ?? "" })),
      );
      await until(async () => (await finished()) === runs);
    });
    const overlaps = await count(`WITH spans AS (
        SELECT n, min(at) FILTER (WHERE step = 'in') AS began, max(at) FILTER (WHERE step = 'out') AS ended
        FROM effects GROUP BY n)
      SELECT count(*) FROM spans a JOIN spans b ON a.n < b.n AND a.n % 2 = b.n % 2
      WHERE a.began < b.ended AND b.began < a.ended`);
    expect(overlaps).toBe(0);
    expect(await count("SELECT count(*) FROM effects WHERE step = 'out'")).toBe(runs);
  });
});
