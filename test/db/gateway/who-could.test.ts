import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { getApproval } from "@/server/services/approvals/get";
import { listApprovals } from "@/server/services/approvals/list";
import { consoleSummary } from "@/server/services/console/summary";
import { createRule } from "@/server/services/rules/create";
import { gatewayFixture } from "@/test/db/gateway/fixture";

const { org, submit, state, approve } = gatewayFixture();

const could = async (id: string | undefined) =>
  (await getApproval(org().auditor.actor, { id: id ?? "" })).whoCould ?? expect.fail("it waits");
const idsOf = ({ people }: { people: readonly { id: string }[] }) => people.map(({ id }) => id).sort();
const sql = (text: string, values: unknown[] = []) => withOrgSql(org().id, (q) => q.query(text, values));
const disable = (id: string) => sql("UPDATE member SET disabled_at = now() WHERE id = $1", [id]);
const asks = (rule: object) =>
  createRule(org().admin.actor, { name: "asks", verdict: "approval", condition: "true", reason: "test", ...rule });

describe("who could approve right now", () => {
  it("is whoever is active, has the role, and did not ask", async () => {
    const { owner, admin, approver } = org();
    const { approval } = await submit("test.final");
    expect(await could(approval?.id)).toMatchObject({ count: 3, nobody: null });
    expect(idsOf(await could(approval?.id))).toEqual([owner.id, admin.id, approver.id].sort());
    await disable(approver.id);
    await sql("UPDATE member SET password_hash = NULL WHERE id = $1", [admin.id]);
    expect(idsOf(await could(approval?.id))).toEqual([owner.id]);
  });

  it("is exactly whom the approval itself lets decide", async () => {
    await asks({ requiredRole: "admin" });
    const { approval } = await submit("test.write");
    const people = idsOf(await could(approval?.id));
    for (const person of [org().owner, org().admin, org().approver, org().agentOwner, org().auditor]) {
      const { mayDecide } = await getApproval(person.actor, { id: approval?.id ?? "" });
      expect(mayDecide.allowed, person.actor.role).toBe(people.includes(person.id));
    }
  });

  it("leaves out who has decided, whose answer counts for as long as they could still give it", async () => {
    await asks({ people: 2 });
    await disable(org().owner.id);
    const answer = await submit("test.write");
    await approve(answer);
    expect(await could(answer.approval?.id)).toMatchObject({ count: 1, nobody: null });
    expect(idsOf(await could(answer.approval?.id))).toEqual([org().admin.id]);
    await disable(org().approver.id);
    expect((await could(answer.approval?.id)).nobody).toMatch(/takes 2 people.*there is 1/);
  });

  it("is told of no approval that waits no longer", async () => {
    const answer = await submit("test.final");
    await approve(answer);
    const { whoCould } = await getApproval(org().owner.actor, { id: answer.approval?.id ?? "" });
    expect(whoCould).toBeNull();
  });
});

describe("a request that nobody can approve", () => {
  it("says so at once to the agent, to readers of the approval, and to those who can change it", async () => {
    await asks({ requiredRole: "owner" });
    await disable(org().owner.id);
    const answer = await submit("test.write");
    expect(answer).toMatchObject({
      status: "pending",
      approval: { nobodyCanApprove: true, message: expect.stringMatching(/^Nobody can approve this/) },
    });
    expect((await state(answer.id)).approval).toMatchObject({ nobodyCanApprove: true });
    const { items } = await listApprovals(org().approver.actor, {});
    expect(items[0]?.whoCould).toMatchObject({ people: [], count: 0, nobody: expect.any(String) });
    expect(await consoleSummary(org().admin.actor, {})).toMatchObject({ nobodyCan: 1 });
    expect(await consoleSummary(org().approver.actor, {})).toMatchObject({ nobodyCan: 0 });
  });

  it("stops saying so when somebody can", async () => {
    await asks({ requiredRole: "owner" });
    await disable(org().owner.id);
    await sql("UPDATE member SET role = 'owner', password_hash = NULL WHERE id = $1", [org().admin.id]);
    const answer = await submit("test.write");
    expect((await state(answer.id)).approval).toHaveProperty("nobodyCanApprove");
    await sql("UPDATE member SET password_hash = 'x' WHERE id = $1", [org().admin.id]);
    expect((await state(answer.id)).approval).not.toHaveProperty("nobodyCanApprove");
    expect(await consoleSummary(org().owner.actor, {})).toMatchObject({ nobodyCan: 0 });
  });

  it("is not helped by who is given the role afterwards, who decides what is asked from then on", async () => {
    await asks({ requiredRole: "owner" });
    await disable(org().owner.id);
    const before = await submit("test.write");
    await sql("UPDATE member SET role = 'owner' WHERE id = $1", [org().admin.id]);
    expect((await state(before.id)).approval).toHaveProperty("nobodyCanApprove");
    const after = await submit("test.write", { target: "b" });
    expect((await state(after.id)).approval).not.toHaveProperty("nobodyCanApprove");
  });

  it("is not one that somebody can approve: such an answer has no such field", async () => {
    expect((await submit("test.final")).approval).not.toHaveProperty("nobodyCanApprove");
  });
});
