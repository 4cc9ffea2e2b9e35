import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "@/server/cli/postgres/cluster";

const folder = mkdtempSync(join(tmpdir(), "countersign-cluster-"));
const options = { wanted: join(folder, "postgres"), name: "test-cluster", superuserPassword: "a-password" };
const lockFile = join(options.wanted, "cluster", "postmaster.pid");
let cluster: Cluster;

async function ask(text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: cluster.superuserUrl });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: unknown }>(text);
    return rows[0]?.answer;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  chmodSync(folder, 0o711);
  cluster = await startCluster(options);
  await ask("CREATE TABLE kept AS SELECT 42 AS answer");
});

afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("the embedded PostgreSQL", () => {
  it("goes on with its data after a clean stop", async () => {
    await cluster.stop();
    cluster = await startCluster(options);
    expect(await ask("SELECT answer FROM kept")).toBe(42);
  });

  it("goes on with its data after kill -9", async () => {
    process.kill(cluster.pid, "SIGKILL");
    await cluster.ended;
    cluster = await startCluster(options);
    expect(await ask("SELECT answer FROM kept")).toBe(42);
  });

  it("is not kept from starting by a lock file whose number belongs to another process now", async () => {
    await cluster.stop();
    writeFileSync(lockFile, `${process.pid}\n${join(options.wanted, "cluster")}\n`);
    cluster = await startCluster(options);
    expect(await ask("SELECT answer FROM kept")).toBe(42);
  });

  it("takes over from a server that a killed start left running", async () => {
    const before = Number.parseInt(readFileSync(lockFile, "utf8"), 10);
    const next = await startCluster(options);
    await cluster.ended;
    cluster = next;
    expect(cluster.pid).not.toBe(before);
    expect(await ask("SELECT answer FROM kept")).toBe(42);
  });

  it("listens on loopback alone and lets nobody in without the password", async () => {
    expect(await ask("SELECT setting AS answer FROM pg_settings WHERE name = 'listen_addresses'")).toBe("127.0.0.1");
    expect(await ask("SELECT setting AS answer FROM pg_settings WHERE name = 'unix_socket_directories'")).toBe("");
    const url = new URL(cluster.superuserUrl);
    url.password = "another";
    const client = new pg.Client({ connectionString: url.toString() });
    await expect(client.connect()).rejects.toMatchObject({ code: "28P01" });
  });

  it("keeps statements and their values out of its log", async () => {
    await ask("SELECT 'a-private-value'::int AS answer").catch(() => undefined);
    expect(readFileSync(join(options.wanted, "postgres.log"), "utf8")).not.toMatch(/SELECT|private/);
  });
});
