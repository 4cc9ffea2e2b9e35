import { afterAll, beforeAll, expect, it } from "vitest";
import { closePools, systemPool } from "@/server/db/pools";
import { withOrg, withOrgSql } from "@/server/db/with-org";
import { sealOrganization } from "@/server/services/audit/chain/seal";
import { verifyAudit } from "@/server/services/audit/chain/verify";
import { audit, auditSql } from "@/server/services/audit/record";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { aChain, anEntry, anOrganization } from "./fixture";

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(async () => {
  await closePools();
  await db.drop();
});

const DENIED = { code: "42501" };
const run = (orgId: string, text: string) => withOrgSql(orgId, (q) => q.query(text));

it.each([
  ["audit_event", "type"],
  ["audit_seal", "hash"],
  ["audit_checkpoint", "mac"],
  ["audit_personal", "value"],
])("the application cannot change, remove or empty %s", async (table, column) => {
  const orgId = await anOrganization();
  await aChain(orgId, 2);
  await expect(run(orgId, `UPDATE ${table} SET ${column} = ${column}`)).rejects.toMatchObject(DENIED);
  await expect(run(orgId, `DELETE FROM ${table}`)).rejects.toMatchObject(DENIED);
  await expect(run(orgId, `TRUNCATE ${table} CASCADE`)).rejects.toMatchObject(DENIED);
});

it("nothing leaves the line of unsealed events but into the chain", async () => {
  const orgId = await anOrganization();
  await withOrgSql(orgId, (q) => auditSql(q, anEntry(orgId)));
  expect((await run(orgId, "DELETE FROM audit_unsealed")).rowCount).toBe(0);
  await expect(run(orgId, "UPDATE audit_unsealed SET event_id = 'x'")).rejects.toMatchObject(DENIED);
  await expect(run(orgId, "TRUNCATE audit_unsealed")).rejects.toMatchObject(DENIED);
  expect(await sealOrganization(orgId)).toBe(1);
});

it("letting go of what is sealed asks the chain's index, however long the chain is", async () => {
  const orgId = await anOrganization();
  await aChain(orgId, 2);
  const { rows } = await withOrgSql(orgId, (q) =>
    q.query<{ "QUERY PLAN": string }>(
      "EXPLAIN DELETE FROM audit_unsealed WHERE org_id = $1 AND event_id = ANY (array_fill('aud_1'::text, ARRAY[2000]))",
      [orgId],
    ),
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain("SubPlan");
  expect(plan).not.toContain("hashed");
});

it("an event put in line again is sealed once and holds nobody up", async () => {
  const orgId = await anOrganization();
  const [first] = await aChain(orgId, 2);
  await run(orgId, `INSERT INTO audit_unsealed (org_id, event_id, leaf) VALUES ('${orgId}', '${first}', '')`);
  await withOrgSql(orgId, (q) => auditSql(q, anEntry(orgId)));
  expect(await sealOrganization(orgId)).toBe(1);
  expect(await verifyAudit(orgId)).toMatchObject({ intact: true, entries: 3 });
  expect((await run(orgId, "SELECT * FROM audit_unsealed")).rowCount).toBe(0);
});

it("one organization neither sees nor writes another's log", async () => {
  const [ours, theirs] = [await anOrganization(), await anOrganization()];
  await aChain(theirs, 3);
  for (const table of ["audit_event", "audit_seal", "audit_checkpoint", "audit_personal", "audit_unsealed"]) {
    expect((await run(ours, `SELECT * FROM ${table}`)).rowCount).toBe(0);
  }
  await expect(withOrgSql(ours, (q) => auditSql(q, anEntry(theirs)))).rejects.toThrow("of another organization");
  await expect(
    run(ours, `INSERT INTO audit_unsealed (org_id, event_id, leaf) VALUES ('${theirs}', 'aud_1', '')`),
  ).rejects.toMatchObject(DENIED);
  expect(await verifyAudit(theirs)).toMatchObject({ intact: true, entries: 3 });
});

it("the system role sees which organizations wait, and no content", async () => {
  const orgId = await anOrganization();
  await withOrgSql(orgId, (q) => auditSql(q, anEntry(orgId)));
  const { rows } = await systemPool().query("SELECT org_id FROM audit_unsealed WHERE org_id = $1", [orgId]);
  expect(rows).toHaveLength(1);
  for (const text of [
    "SELECT canonical FROM audit_event",
    "SELECT value FROM audit_personal",
    "DELETE FROM audit_unsealed",
  ]) {
    await expect(systemPool().query(text)).rejects.toMatchObject(DENIED);
  }
});

it("an entry is kept with what it records, or neither is", async () => {
  const orgId = await anOrganization();
  const failing = withOrg(orgId, async (tx) => {
    await audit(tx, anEntry(orgId));
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await verifyAudit(orgId)).toMatchObject({ intact: true, entries: 0 });
});
