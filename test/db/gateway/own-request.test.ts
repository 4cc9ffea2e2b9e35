import { beforeEach, describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { giveRight } from "@/server/services/approval-rights/give";
import { decideApproval } from "@/server/services/approvals/decide";
import { decideApprovals } from "@/server/services/approvals/decide-many";
import { editAndApprove } from "@/server/services/approvals/edit";
import { getApproval } from "@/server/services/approvals/get";
import { changeApproverSafety } from "@/server/services/approver-safety/change";
import { getApproverSafety } from "@/server/services/approver-safety/get";
import { consoleSummary } from "@/server/services/console/summary";
import { changeMember } from "@/server/services/identity/members/change-member";
import type { Answer } from "@/server/services/requests/answer";
import { describeToolRequest } from "@/server/services/requests/detail";
import { createRule } from "@/server/services/rules/create";
import { recorded } from "@/test/db/admin/fixture";
import { gatewayFixture, reasonOf } from "@/test/db/gateway/fixture";
import { TEST_PASSWORD } from "@/test/support/organization";

const { org, submit, execute, performed } = gatewayFixture();
const owner = () => org().owner.actor;
const sql = (text: string, values: unknown[] = []) => withOrgSql(org().id, (q) => q.query(text, values));

async function allow(isOn = true) {
  const { version } = await getApproverSafety(owner(), {});
  return changeApproverSafety(owner(), { version, ownerDecidesOwn: isOn });
}

/** The owner alone, with an agent of their own. */
beforeEach(async () => {
  await sql("UPDATE agent SET owner_id = $1", [org().owner.id]);
  await sql("UPDATE agent_key SET issued_by = $1", [org().owner.id]);
  await sql("UPDATE member SET disabled_at = now() WHERE id <> $1", [org().owner.id]);
});

const shown = (answer: Answer) => getApproval(owner(), { id: answer.approval?.id ?? "" });
async function decide(answer: Answer, more: object = {}) {
  const { id, digest } = await shown(answer);
  return decideApproval(owner(), { id, digest, decision: "approve", ...more });
}
const enable = (id: string) => changeMember(owner(), { id, isDisabled: false });

describe("an owner who is alone", () => {
  it("decides nothing that they asked until they allow it", async () => {
    const early = await submit("test.final");
    expect(await reasonOf(decide(early))).toBe("own_request");
    expect((await shown(early)).ownRequest).toBeNull();
    await allow();
    // What was asked before it was allowed is not theirs.
    expect(await reasonOf(decide(early))).toBe("own_request");
    const answer = await submit("test.final", { target: "b" });
    expect(await decide(answer)).toMatchObject({ status: "approved" });
    expect(await execute(answer.id)).toBe("ran");
    expect(performed(answer.id)).toBe(1);
  });

  it("is warned on every screen that it touches, and the log has a field for it", async () => {
    const early = await submit("test.final", { target: "early" });
    expect(await consoleSummary(owner(), {})).toMatchObject({ waiting: 0 });
    expect(await allow()).toMatchObject({ ownerDecidesOwn: true, isOwnerAlone: true });
    expect(await shown(early)).toMatchObject({ ownRequest: null, whoCould: { count: 0 } });
    const answer = await submit("test.final");
    expect(await shown(answer)).toMatchObject({
      ownRequest: "could",
      mayDecide: { allowed: true, isOwn: true },
      whoCould: { count: 1, nobody: null },
    });
    expect(await describeToolRequest(owner(), { id: answer.id })).toMatchObject({ ownRequest: "could" });
    expect(await consoleSummary(owner(), {})).toMatchObject({ waiting: 1 });
    await decide(answer);
    expect(await shown(answer)).toMatchObject({ ownRequest: "decided", decisions: [{ isOwn: true }] });
    expect(await describeToolRequest(owner(), { id: answer.id })).toMatchObject({ ownRequest: "decided" });
    const [entry] = await recorded(org().id, "approval.approved");
    expect(entry?.document.fields).toMatchObject({ ownRequest: true });
  });

  it("edits and decides in a batch alike, and high risk takes the password", async () => {
    await allow();
    const order = await submit("test.order", { target: "a", text: "as asked" });
    const { id, digest } = await shown(order);
    const edited = { target: "a", text: "as edited" };
    expect(await editAndApprove(owner(), { id, digest, arguments: edited })).toMatchObject({ status: "approved" });
    const many = await shown(await submit("test.final", { target: "b" }));
    const batch = await decideApprovals(owner(), {
      decision: "approve",
      items: [{ id: many.id, digest: many.digest }],
    });
    expect(batch.results).toMatchObject([{ ok: true, status: "approved" }]);
    const high = await submit("test.high");
    expect(await reasonOf(decide(high))).toBe("proof_required");
    expect(await decide(high, { password: TEST_PASSWORD })).toMatchObject({ status: "approved" });
  });

  it("never stands for two people, nor for one of them", async () => {
    await allow();
    const two = { name: "Two", verdict: "approval", condition: "true", people: 2, reason: "test" } as const;
    await createRule(owner(), two);
    const answer = await submit("test.final");
    expect(await reasonOf(decide(answer))).toBe("own_request");
    expect(await shown(answer)).toMatchObject({ ownRequest: null, whoCould: { count: 0 } });
  });

  it("is alone no longer once somebody else could decide, by a role or by a right; who has no way in does not count", async () => {
    await sql("UPDATE member SET password_hash = NULL, disabled_at = NULL WHERE id = $1", [org().admin.id]);
    await enable(org().member.id);
    await allow();
    const answer = await submit("test.final");
    expect((await shown(answer)).ownRequest).toBe("could");
    await giveRight(owner(), { member: org().member.id, maxRisk: "low", actions: ["test.write"] });
    expect(await reasonOf(decide(answer))).toBe("own_request");
    expect(await getApproverSafety(owner(), {})).toMatchObject({ ownerDecidesOwn: true, isOwnerAlone: false });
    await sql("UPDATE approval_right SET withdrawn_at = now()");
    await enable(org().approver.id);
    expect(await reasonOf(decide(answer))).toBe("own_request");
  });

  it.each([
    ["shut out", () => changeMember(owner(), { id: org().approver.id, isDisabled: true })],
    ["given another role", () => changeMember(owner(), { id: org().approver.id, role: "member" })],
  ])("does not become so after it was asked: whoever else could decide it was %s since", async (_how, away) => {
    await enable(org().approver.id);
    await allow();
    const answer = await submit("test.final");
    await away();
    expect(await getApproverSafety(owner(), {})).toMatchObject({ isOwnerAlone: true });
    expect(await reasonOf(decide(answer))).toBe("own_request");
    expect(await shown(answer)).toMatchObject({ ownRequest: null, whoCould: { count: 0 } });
    expect(await decide(await submit("test.final", { target: "b" }))).toMatchObject({ status: "approved" });
  });

  it("approved what no longer runs once somebody else could decide: it is asked again", async () => {
    await allow();
    const answer = await submit("test.final");
    await decide(answer);
    await enable(org().approver.id);
    expect(await execute(answer.id)).toBe("returned");
    expect(performed(answer.id)).toBe(0);
  });

  it("approved what no longer runs once the setting is off", async () => {
    await allow();
    const answer = await submit("test.final");
    await decide(answer);
    await allow(false);
    expect(await execute(answer.id)).toBe("returned");
  });

  it.each([
    ["let in", () => enable(org().approver.id)],
    ["given a way in", () => sql("UPDATE member SET password_hash = 'x' WHERE id = $1", [org().approver.id])],
  ])("races somebody who is %s at once: what runs was decided and claimed while alone", async (how, come) => {
    if (how === "given a way in") {
      await sql("UPDATE member SET password_hash = NULL, disabled_at = NULL WHERE id = $1", [org().approver.id]);
    }
    await allow();
    const answers = await Promise.all([..."abcdefgh"].map((target) => submit("test.final", { target })));
    const deciding = answers.map((answer) => decide(answer).then(() => execute(answer.id)));
    const coming = come().then(() => sql("SELECT clock_timestamp() AS now"));
    await Promise.allSettled(deciding);
    const { now } = (await coming).rows[0] as { now: Date };
    for (const answer of answers) await execute(answer.id);
    const { rows } = await sql("SELECT id FROM tool_request WHERE claimed_at > $1", [now]);
    expect(rows).toEqual([]);
    // Whatever was not over when they came is theirs to decide.
    const last = await submit("test.final", { target: "z" });
    expect(await reasonOf(decide(last))).toBe("own_request");
  });
});

describe("approver_safety.change", () => {
  it("is switched on by an owner who signed in, and off by whoever manages the organization", async () => {
    await enable(org().admin.id);
    const admin = org().admin.actor;
    expect(await reasonOf(changeApproverSafety(admin, { version: 0, ownerDecidesOwn: true }))).toBe("role_required");
    const token = { ...owner(), via: "token" } as const;
    expect(await reasonOf(changeApproverSafety(token, { version: 0, ownerDecidesOwn: true }))).toBe("role_required");
    expect(await allow()).toMatchObject({ version: 1, ownerDecidesOwn: true });
    expect(await reasonOf(changeApproverSafety(admin, { version: 0, ownerDecidesOwn: false }))).toBe("stale_version");
    expect(await changeApproverSafety(admin, { version: 1, ownerDecidesOwn: false })).toMatchObject({ version: 2 });
    const entries = await recorded(org().id, "approver_safety.changed");
    expect(entries.map(({ document }) => document.fields)).toMatchObject([
      { changed: ["ownerDecidesOwn"], from: ["false"], to: ["true"] },
      { changed: ["ownerDecidesOwn"], from: ["true"], to: ["false"] },
    ]);
  });
});
