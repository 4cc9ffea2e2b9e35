import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { newId } from "@/server/db/new-id";
import { withOrgSql } from "@/server/db/with-org";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { activateKillSwitch } from "@/server/services/controls/activate-kill-switch";
import { releaseKillSwitch } from "@/server/services/controls/release-kill-switch";
import { returnStopped } from "@/server/services/controls/return-stopped";
import type { Answer } from "@/server/services/requests/answer";
import { executeRequest } from "@/server/services/requests/execute";
import { submitToolRequest } from "@/server/services/requests/submit";
import { sweepStopped } from "@/server/services/requests/sweep";
import { systemActor } from "@/server/services/system-actor";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { type TestOrganization, testOrganization } from "@/test/support/organization";
import { effectsIn, registerTestTools, testGrant } from "@/test/support/test-tools";

twoOrganizations();
beforeAll(registerTestTools);

const file = join(mkdtempSync(join(tmpdir(), "countersign-stopped-")), "effects");
const reason = "A test.";
const job = (org: TestOrganization) => systemActor(org.id, "test");
const execute = (org: TestOrganization, requestId: string) => executeRequest(job(org), { requestId });
const freeze = (org: TestOrganization) => activateKillSwitch(org.admin.actor, { level: "freeze", reason });

async function desk() {
  const org = await testOrganization();
  await withOrgSql(org.id, (q) => q.query("UPDATE agent SET pending_limit = 10000"));
  const { connectionId: connection } = await testGrant(org, file);
  const submit = (action: string) =>
    submitToolRequest(org.agent.actor, { action, connection, arguments: { target: "a" } });
  return { org, submit };
}

async function approve(org: TestOrganization, { approval }: Answer) {
  const { id, digest } = await getApproval(org.approver.actor, { id: approval?.id ?? "" });
  await decideApproval(org.approver.actor, { id, decision: "approve", digest });
}

const REAL = 5;

/**
 * An organization with so many approved requests whose undo window has just passed. The first and the last few are real,
 * the others copies of the first, which nobody could open.
 */
async function deskWith(count: number) {
  const { org, submit } = await desk();
  const first = await submit("test.undoable");
  await approve(org, first);
  const copies = Array.from({ length: Math.max(0, count - 1 - REAL) }, () => ({
    request: newId("toolRequest"),
    approval: newId("approval"),
  }));
  const asRows = "jsonb_to_recordset($1::jsonb) AS c(request text, approval text)";
  await withOrgSql(org.id, async (q) => {
    const values = [JSON.stringify(copies), first.id];
    await q.query(
      `INSERT INTO tool_request SELECT r.* FROM tool_request t, ${asRows},
         jsonb_populate_record(t, jsonb_build_object('id', c.request, 'approval_id', NULL)) r WHERE t.id = $2`,
      values,
    );
    await q.query(
      `INSERT INTO approval SELECT r.* FROM approval t, ${asRows},
         jsonb_populate_record(t, jsonb_build_object('id', c.approval, 'request_id', c.request)) r WHERE t.request_id = $2`,
      values,
    );
    await q.query(`UPDATE tool_request t SET approval_id = c.approval FROM ${asRows} WHERE t.id = c.request`, [
      values[0],
    ]);
  });
  const last: Answer[] = [];
  while (last.length < Math.min(count - 1, REAL)) last.push(await submit("test.undoable"));
  for (const answer of last) await approve(org, answer);
  await withOrgSql(org.id, (q) => q.query("UPDATE tool_request SET runs_at = clock_timestamp()"));
  return { org, ids: [first.id, ...copies.map(({ request }) => request), ...last.map(({ id }) => id)] };
}

async function count(org: TestOrganization, text: string): Promise<number> {
  const { rows } = await withOrgSql(org.id, (q) => q.query<{ count: string }>(`SELECT count(*) ${text}`));
  return Number(rows[0]?.count);
}
const pending = (org: TestOrganization) =>
  count(org, "FROM tool_request WHERE status = 'pending' AND approval_id IS NULL");
const entries = (org: TestOrganization, type: string) =>
  count(org, `FROM (SELECT DISTINCT request_id FROM audit_event WHERE type = '${type}') e`);
const performed = (ids: readonly string[]) => effectsIn(file).filter((line) => ids.includes(line.split(" ")[0] ?? ""));

describe("what a freeze stops", () => {
  it("goes back after the switch, which takes no more statements for two thousand than for one", async () => {
    const [few, many] = [await deskWith(1), await deskWith(2_000)];
    const statements = vi.spyOn(pg.Client.prototype, "query");
    const during = async (work: () => Promise<unknown>) => {
      const before = statements.mock.calls.length;
      await work();
      return statements.mock.calls.length - before;
    };
    try {
      const forOne = await during(() => freeze(few.org));
      expect(forOne).toBeGreaterThan(5);
      // One fewer where an organization's data key is at hand already.
      expect(await during(() => freeze(many.org))).toBeLessThanOrEqual(forOne);
    } finally {
      statements.mockRestore();
    }
    const { org, ids } = many;
    expect(await pending(org)).toBe(200);
    // The last of them is still scheduled and due: it does not run.
    expect(await execute(org, ids.at(-1) ?? "")).toBe("returned");
    while (await returnStopped(job(org), {}));
    expect(await pending(org)).toBe(2_000);
    expect(await count(org, "FROM approval WHERE status = 'pending' AND is_held")).toBe(2_000);
    expect(await count(org, "FROM approval WHERE status = 'voided'")).toBe(2_000);
    for (const type of ["request.returned", "approval.voided"] as const) {
      expect(await entries(org, type)).toBe(2_000);
      expect(await count(org, `FROM audit_event WHERE type = '${type}'`)).toBe(2_000);
    }
    expect(performed(ids)).toEqual([]);
  });

  it("is found by the sweep in every organization, as the role that sees ids and times", async () => {
    const { org, ids } = await deskWith(450);
    await freeze(org);
    expect(await pending(org)).toBe(200);
    expect(await sweepStopped()).toBe(1);
    expect(await pending(org)).toBe(450);
    expect(await sweepStopped()).toBe(0);
    expect(performed(ids)).toEqual([]);
  });

  it("is back before a release lifts it, whatever the job has done by then", async () => {
    const { org, ids } = await deskWith(450);
    const { version } = await freeze(org);
    const [running] = await Promise.all([
      Promise.allSettled(ids.slice(-REAL).map((id) => execute(org, id))),
      returnStopped(job(org), {}),
      releaseKillSwitch(org.owner.actor, { version, reason }),
    ]);
    expect(running.every((result) => result.status === "fulfilled")).toBe(true);
    expect(await pending(org)).toBe(450);
    expect(await count(org, "FROM approval WHERE status = 'pending' AND NOT is_held")).toBe(450);
    expect(await entries(org, "request.returned")).toBe(450);
    expect(performed(ids)).toEqual([]);
  });

  it("is a read too, where it was decided before; one that is approved during the freeze runs", async () => {
    const { org, submit } = await desk();
    const [before, during] = [await submit("test.read"), await submit("test.read")];
    expect(before.status).toBe("pending");
    await approve(org, before);
    // The switch alone, as if nothing had been put back yet.
    await withOrgSql(org.id, (q) =>
      q.query("UPDATE control_state SET kill_level = 'freeze', kill_at = clock_timestamp(), kill_by = $1", [
        org.admin.id,
      ]),
    );
    await approve(org, during);
    expect(await execute(org, before.id)).toBe("returned");
    expect(await execute(org, during.id)).toBe("ran");
    expect(performed([before.id])).toEqual([]);
  });
});
