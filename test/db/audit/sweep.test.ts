import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { organizationsToSeal } from "@/server/db/audit-due";
import { closePools } from "@/server/db/pools";
import { withOrgSql } from "@/server/db/with-org";
import { auditLag, startSealer, sweepSeals } from "@/server/services/audit/chain/sealer";
import { verifyAudit } from "@/server/services/audit/chain/verify";
import { listAudit } from "@/server/services/audit/list";
import { auditSql } from "@/server/services/audit/record";
import { recordRefusals } from "@/server/services/audit/refusals";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { type Attacker, aChain, anAttacker, anEntry, anOrganization, aReader } from "./fixture";

let db: TestDatabase;
let owner: Attacker;
beforeAll(async () => {
  db = await freshDatabase();
  owner = await anAttacker(db.superuserUrl, db.name);
});
afterAll(async () => {
  await owner.end();
  await closePools();
  await db.drop();
});

const refusals = async (orgId: string) =>
  (await listAudit(aReader(orgId), { what: "calls.refused" })).items.map((item) => item.fields);
const count = (orgId: string, minutesAgo: number, kind: string, subject: string, n: number) =>
  withOrgSql(orgId, (q) =>
    q.query(
      `INSERT INTO refusal_count (org_id, minute, kind, subject, count)
       VALUES ($1, date_trunc('minute', clock_timestamp()) - make_interval(mins => $2), $3, $4, $5)`,
      [orgId, minutesAgo, kind, subject, n],
    ),
  );

it("a running sealer takes an event into the chain within seconds, and stops when told", async () => {
  const orgId = await anOrganization();
  const sealer = startSealer();
  await withOrgSql(orgId, (q) => auditSql(q, anEntry(orgId)));
  await vi.waitUntil(async () => !(await organizationsToSeal()).includes(orgId), { timeout: 10_000 });
  await sealer.stop();
  await withOrgSql(orgId, (q) => auditSql(q, anEntry(orgId)));
  expect(await organizationsToSeal()).toContain(orgId);
  await sweepSeals();
  expect(await organizationsToSeal()).not.toContain(orgId);
});

it("a chain that is broken does not hold up the others", async () => {
  const [broken, whole] = [await anOrganization(), await anOrganization()];
  await aChain(broken, 3);
  await owner.run("DELETE FROM audit_seal WHERE org_id = $1 AND idx = 2", [broken]);
  for (const orgId of [broken, whole]) await withOrgSql(orgId, (q) => auditSql(q, anEntry(orgId)));
  expect(await sweepSeals()).toEqual({ organizations: 2, sealed: 1, failed: 1 });
  expect(await verifyAudit(whole)).toMatchObject({ intact: true, entries: 1 });
  await owner.run("DELETE FROM audit_unsealed WHERE org_id = $1", [broken]);
});

it("what stays unsealed for a minute raises the alarm", async () => {
  const orgId = await anOrganization();
  await withOrgSql(orgId, (q) => auditSql(q, anEntry(orgId)));
  expect(await auditLag()).toMatchObject({ isOverdue: false });
  await owner.run("UPDATE audit_unsealed SET queued_at = now() - interval '61 seconds' WHERE org_id = $1", [orgId]);
  expect(await auditLag()).toMatchObject({ isOverdue: true });
  await sweepSeals();
  expect(await auditLag()).toEqual({ oldestSeconds: 0, isOverdue: false });
});

it("refused calls become one entry a minute and kind, once, when the minute is over", async () => {
  const orgId = await anOrganization();
  await count(orgId, 3, "rate_limited", "key_A", 7);
  await count(orgId, 3, "rate_limited", "key_B", 30);
  await count(orgId, 3, "unauthenticated", "agent_key", 2);
  await count(orgId, 2, "rate_limited", "key_A", 1);
  await count(orgId, 0, "rate_limited", "key_A", 5);
  const written = await Promise.all([recordRefusals(), recordRefusals()]);
  expect(written.reduce((sum, n) => sum + n)).toBe(3);
  expect(await recordRefusals()).toBe(0);
  const entries = await refusals(orgId);
  expect(entries.map(({ minute: _minute, ...rest }) => rest)).toEqual([
    { kind: "rate_limited", count: 1, subjects: ["key_A 1"] },
    expect.objectContaining({ count: expect.any(Number) }),
    expect.objectContaining({ count: expect.any(Number) }),
  ]);
  expect(entries).toContainEqual(
    expect.objectContaining({ kind: "rate_limited", count: 37, subjects: ["key_B 30", "key_A 7"] }),
  );
  expect(entries).toContainEqual(
    expect.objectContaining({ kind: "unauthenticated", count: 2, subjects: ["agent_key 2"] }),
  );
});
