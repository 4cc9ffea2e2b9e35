import { describe, expect, it } from "vitest";
import { findEscalating } from "@/server/db/system";
import { withOrgSql } from "@/server/db/with-org";
import { escalateApproval } from "@/server/services/approvals/escalate";
import { getApproval } from "@/server/services/approvals/get";
import { approvalTiming } from "@/server/services/approvals/timing";
import { sweepEscalating } from "@/server/services/requests/sweep";
import { systemActor } from "@/server/services/system-actor";
import { gatewayFixture } from "@/test/db/gateway/fixture";

const { org, submit, approve } = gatewayFixture();

const sql = <R extends object>(text: string, values: unknown[] = []) =>
  withOrgSql(org().id, async (q) => (await q.query<R & Record<string, unknown>>(text, values)).rows);
const system = () => systemActor(org().id, "test");
const escalate = (approvalId: string) => escalateApproval(system(), { approvalId });
const timing = (approvalId: string) => approvalTiming(system(), { approvalId });
/** As if it had been asked, or passed on, `minutes` earlier. It lives a day. */
const age = (id: string, minutes: number) =>
  sql(
    `UPDATE approval SET lifetime_seconds = 86400, expires_at = clock_timestamp() + interval '1 day' - make_interval(mins => $2),
       escalated_at = escalated_at - make_interval(mins => $2), reminded_at = clock_timestamp() WHERE id = $1`,
    [id, minutes],
  );
const asked = async () => {
  const answer = await submit("test.final");
  return { id: answer.approval?.id ?? "", answer };
};
const stage = async (id: string) => (await getApproval(org().admin.actor, { id })).escalated?.to ?? null;
const entries = async (approvalId: string) =>
  (await sql<{ canonical: Buffer }>("SELECT canonical FROM audit_event WHERE type = 'approval.escalated' ORDER BY id"))
    .map(({ canonical }) => JSON.parse(canonical.toString("utf8")).fields)
    .filter((fields) => fields.approval === approvalId)
    .map(({ role, people }) => ({ role, people }));

describe("what nobody decides", () => {
  it("goes on to admins, then to owners, each once and in the log", async () => {
    const { id } = await asked();
    await age(id, 14);
    expect((await timing(id)).kind).toBe("wait");
    expect(await escalate(id)).toBe(false);
    await age(id, 15);
    expect(await timing(id)).toEqual({ kind: "escalate" });
    expect(await escalate(id)).toBe(true);
    expect(await stage(id)).toBe("admin");
    expect(await escalate(id)).toBe(false);
    await age(id, 15);
    expect(await escalate(id)).toBe(true);
    await age(id, 60);
    expect(await escalate(id)).toBe(false);
    expect((await timing(id)).kind).toBe("wait");
    expect(await entries(id)).toEqual([
      { role: "admin", people: 1 },
      { role: "owner", people: 1 },
    ]);
  });

  it("goes on once, however many find it due at once", async () => {
    const { id } = await asked();
    await age(id, 15);
    const answers = await Promise.all(Array.from({ length: 20 }, () => escalate(id)));
    expect(answers.filter((moved) => moved)).toHaveLength(1);
    expect(await entries(id)).toEqual([{ role: "admin", people: 1 }]);
  });

  it("passes over a role in which nobody could decide", async () => {
    await sql("UPDATE member SET disabled_at = now() WHERE id = $1", [org().admin.id]);
    const { id } = await asked();
    await age(id, 15);
    await escalate(id);
    expect(await entries(id)).toEqual([{ role: "owner", people: 1 }]);
  });

  it("goes nowhere where the organization wants none, once decided, or while a stop holds it", async () => {
    const { id } = await asked();
    await age(id, 15);
    await sql("UPDATE organization SET escalate_after_minutes = 0");
    expect(await escalate(id)).toBe(false);
    expect((await timing(id)).kind).toBe("wait");
    await sql("UPDATE organization SET escalate_after_minutes = 15");
    await sql("UPDATE approval SET is_held = true WHERE id = $1", [id]);
    expect(await escalate(id)).toBe(false);
    const other = await asked();
    await age(other.id, 15);
    await approve(other.answer);
    expect(await escalate(other.id)).toBe(false);
    expect((await findEscalating()).filter(({ organizationId }) => organizationId === org().id)).toEqual([]);
  });

  it("is found by the sweep with no event at all", async () => {
    const { id } = await asked();
    await age(id, 15);
    await sweepEscalating();
    expect(await stage(id)).toBe("admin");
  });
});
