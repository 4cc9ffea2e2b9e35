import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { organizationsToSeal } from "@/server/db/audit-due";
import { closePools } from "@/server/db/pools";
import { withOrg, withOrgSql } from "@/server/db/with-org";
import { inheritedEnv } from "@/server/env";
import { verifyAudit } from "@/server/services/audit/chain/verify";
import { audit, auditJson, auditSql } from "@/server/services/audit/record";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { TEST_ENV } from "@/test/support/env";
import { anEntry, anOrganization } from "./fixture";

let db: TestDatabase;
let other: pg.Pool;
let replicas: readonly ChildProcess[] = [];

beforeAll(async () => {
  db = await freshDatabase();
  other = new pg.Pool({ connectionString: db.appUrl, max: 16 });
});
afterAll(async () => {
  for (const replica of replicas) replica.kill("SIGKILL");
  await other.end();
  await closePools();
  await db.drop();
});

async function aReplica(): Promise<ChildProcess> {
  const replica = spawn(process.execPath, ["--import", "tsx", "test/db/audit/sealer-process.ts"], {
    env: { ...inheritedEnv(), ...TEST_ENV, APP_DATABASE_URL: db.appUrl, SYSTEM_DATABASE_URL: db.systemUrl },
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(replica.stdout, "data");
  return replica;
}

async function leave(replica: ChildProcess): Promise<void> {
  replica.stdin?.end();
  if (replica.exitCode === null) await once(replica, "exit");
}

const MISTAKE = new Error("taken back");
const isTakenBack = (n: number) => n % 5 === 4;

/** Three entries in one transaction; every fifth writer takes them back. */
async function write(orgId: string, n: number): Promise<void> {
  const work = withOrgSql(orgId, async (q) => {
    await auditSql(q, [anEntry(orgId), anEntry(orgId)]);
    await auditSql(q, anEntry(orgId));
    if (isTakenBack(n)) throw MISTAKE;
  });
  await work.catch((error: unknown) => {
    if (error !== MISTAKE) throw error;
  });
}

/** The same through another pool, as the gateway's functions write. */
async function writeOtherwise(orgId: string, n: number): Promise<void> {
  const client = await other.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT set_config('app.org_id', $1, true)", [orgId]);
    for (const size of [2, 1]) {
      const rows = auditJson(
        orgId,
        Array.from({ length: size }, () => anEntry(orgId)),
      );
      await client.query("SELECT app.write_audit($1::jsonb)", [JSON.stringify(rows)]);
    }
    await client.query(isTakenBack(n) ? "ROLLBACK" : "COMMIT");
  } finally {
    client.release();
  }
}

it("a hundred writers and three sealers leave one whole chain with exactly what was committed", {
  timeout: 60_000,
}, async () => {
  const orgIds = [await anOrganization(), await anOrganization()];
  replicas = await Promise.all([aReplica(), aReplica()]);
  const verdicts: Promise<{ intact: boolean }>[] = [];
  const writers = Array.from({ length: 100 }, async (_, n) => {
    for (const orgId of orgIds) await (n % 2 === 0 ? write(orgId, n) : writeOtherwise(orgId, n));
    // Verified while it grows, and sealed by whoever verifies.
    if (n % 25 === 0) verdicts.push(...orgIds.map((orgId) => verifyAudit(orgId)));
  });
  await Promise.all(writers);
  expect(await Promise.all(verdicts)).toSatisfy(
    (all: { intact: boolean }[]) => all.length === 8 && all.every((v) => v.intact),
  );
  for (const orgId of orgIds) expect(await verifyAudit(orgId)).toMatchObject({ intact: true, entries: 80 * 3 });
  await Promise.all(replicas.map(leave));
  expect(await organizationsToSeal()).toEqual([]);
});

it("what a transaction did comes after what it could see", async () => {
  const orgId = await anOrganization();
  const order: string[] = [];
  const slow = await other.connect();
  await slow.query("BEGIN");
  await slow.query("SELECT set_config('app.org_id', $1, true)", [orgId]);
  const record = async (client: pg.PoolClient) => {
    const [row] = auditJson(orgId, anEntry(orgId));
    await client.query("SELECT app.write_audit($1::jsonb)", [JSON.stringify([row])]);
    return row?.id ?? "";
  };
  const early = await record(slow);
  await withOrg(orgId, (tx) => audit(tx, anEntry(orgId)));
  expect(await verifyAudit(orgId)).toMatchObject({ intact: true, entries: 1 });
  await slow.query("COMMIT");
  slow.release();
  expect(await verifyAudit(orgId)).toMatchObject({ intact: true, entries: 2 });
  const sealed = await withOrg(orgId, (tx) => tx.auditSeal.findMany({ orderBy: { idx: "asc" } }));
  order.push(...sealed.map((seal) => seal.eventId));
  expect(order[1]).toBe(early);
});
