import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { listRights } from "@/server/services/approval-rights/list";
import { getApproval } from "@/server/services/approvals/get";
import { consoleSummary } from "@/server/services/console/summary";
import { createRule } from "@/server/services/rules/create";
import { gatewayFixture, reasonOf } from "./fixture";
import { rightsOf } from "./rights";

const { org, submit, execute, performed, approve, state } = gatewayFixture();

const { admin, holder, give, decide, whyNot, change } = rightsOf(org);

describe("whoever came to their authority after it was asked", () => {
  const later = "authority_given_later";

  it("does not decide it, neither way: by a right", async () => {
    const answer = await submit("test.final");
    await give();
    expect(await whyNot(answer, holder())).toBe(later);
    expect(await whyNot(answer, holder(), "reject")).toBe(later);
    const seen = await getApproval(holder(), { id: answer.approval?.id ?? "" });
    expect(seen.mayDecide).toMatchObject({ allowed: false, why: expect.stringContaining("after this was asked") });
    expect(seen.whoCould?.people.map(({ id }) => id)).not.toContain(org().member.id);
    expect(await consoleSummary(holder(), {})).toMatchObject({ waiting: 0 });
    expect(await decide(await submit("test.final"), holder())).toMatchObject({ status: "approved" });
  });

  it("however often it is asked anew since, and nobody has it asked anew who may not decide it", async () => {
    const answer = await submit("test.final");
    await give();
    await createRule(admin(), { name: "New", verdict: "approval", condition: "true", reason: "test" });
    expect(await whyNot(answer, holder())).toBe(later);
    expect(await getApproval(org().auditor.actor, { id: answer.approval?.id ?? "" })).toMatchObject({
      status: "pending",
    });
    expect(await reasonOf(approve(answer))).toBe("changed");
    const anew = await state(answer.id);
    expect(anew.approval?.id).not.toBe(answer.approval?.id);
    expect(await whyNot(anew, holder())).toBe(later);
    expect(await approve(anew)).toMatchObject({ status: "approved" });
  });

  it("has nothing asked anew once its time is over", async () => {
    const answer = await submit("test.final");
    await createRule(admin(), { name: "New", verdict: "approval", condition: "true", reason: "test" });
    await withOrgSql(org().id, (q) =>
      q.query("UPDATE approval SET expires_at = clock_timestamp() - interval '1 second'"),
    );
    expect(await reasonOf(approve(answer))).toBe("expired");
  });

  it("by a wider right, where the narrow one was there before", async () => {
    await give({ actions: ["test.write"] });
    const answer = await submit("test.final");
    await give();
    expect(await whyNot(answer, holder())).toBe(later);
  });

  it("by a role that was raised", async () => {
    const answer = await submit("test.final");
    await change(org().member.id, { role: "approver" });
    const raised: MemberActor = { ...holder(), role: "approver" };
    expect(await whyNot(answer, raised)).toBe(later);
    expect(await decide(await submit("test.final"), raised)).toMatchObject({ status: "approved" });
  });

  it("by a role that was raised further: what took the old one is still theirs, what takes the new one is not", async () => {
    const condition = 'args.target == "x"';
    await createRule(admin(), { name: "Admin", verdict: "approval", condition, requiredRole: "admin", reason: "test" });
    const [ordinary, strict] = [await submit("test.final"), await submit("test.final", { target: "x" })];
    await change(org().approver.id, { role: "admin" });
    const raised: MemberActor = { ...org().approver.actor, role: "admin" };
    expect(await whyNot(strict, raised)).toBe(later);
    expect(await decide(ordinary, raised)).toMatchObject({ status: "approved" });
  });

  it("by being let in again, and a right they had before does not come back", async () => {
    await give();
    const answer = await submit("test.final");
    for (const isDisabled of [true, false]) {
      await change(org().approver.id, { isDisabled });
      await change(org().member.id, { isDisabled });
    }
    expect(await whyNot(answer, org().approver.actor)).toBe(later);
    expect(await whyNot(answer, holder())).toBe("not_found");
    expect((await listRights(admin(), {})).items).toEqual([]);
  });

  it("by another role and back", async () => {
    await give();
    const answer = await submit("test.final");
    for (const role of ["auditor", "member"]) await change(org().member.id, { role });
    expect(await whyNot(answer, holder())).toBe("not_found");
  });

  it("and no statement gives an authority an earlier date", async () => {
    const answer = await submit("test.final");
    await change(org().member.id, { role: "approver" });
    await withOrgSql(org().id, (q) => q.query("UPDATE member SET approver_since = 'epoch', version = version + 1"));
    expect(await whyNot(answer, { ...holder(), role: "approver" })).toBe(later);
  });

  it("gave an approval that does not count at the claim either", async () => {
    const answer = await submit("test.final");
    expect(await approve(answer)).toMatchObject({ status: "approved" });
    for (const isDisabled of [true, false]) await change(org().approver.id, { isDisabled });
    expect(await execute(answer.id)).not.toBe("ran");
    expect(performed(answer.id)).toBe(0);
  });
});
