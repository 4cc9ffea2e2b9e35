import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { editAndApprove } from "@/server/services/approvals/edit";
import { getApproval } from "@/server/services/approvals/get";
import { changeConnection } from "@/server/services/connections/change";
import type { Answer } from "@/server/services/requests/answer";
import { describeToolRequest } from "@/server/services/requests/detail";
import { changeRule } from "@/server/services/rules/change";
import { createRule } from "@/server/services/rules/create";
import { gatewayFixture, reasonOf } from "@/test/db/gateway/fixture";
import type { TestPerson } from "@/test/support/organization";

const { org, grant, submit, execute, state, approve } = gatewayFixture();

const APPROVER = "Some approver";
const order = { target: "a", text: "as asked", amount: "12.50", to: ["x", "y"] };
const less = { ...order, text: "as edited", amount: "10", to: ["y"] };

async function edit(answer: Answer, args: object = less, person: TestPerson = org().approver) {
  const id = answer.approval?.id ?? "";
  const { digest } = await getApproval(person.actor, { id });
  return editAndApprove(person.actor, { id, digest, arguments: args as never });
}

const entries = (requestId: string) =>
  withOrgSql(org().id, async (q) => {
    const { rows } = await q.query<{ type: string; document: { fields: Record<string, unknown> } }>(
      "SELECT type, convert_from(canonical, 'UTF8')::jsonb AS document FROM audit_event WHERE org_id = app.org_id() AND request_id = $1 ORDER BY id",
      [requestId],
    );
    return rows;
  });

describe("edit and approve", () => {
  it("runs the edited call, tells the agent what changed and by whom, and keeps the version that was asked for", async () => {
    const asked = await submit("test.order", order);
    const decided = await edit(asked);
    expect(decided).toMatchObject({ status: "approved", remaining: 0, requestStatus: "ready" });
    expect(decided.id).not.toBe(asked.approval?.id);
    expect(await execute(asked.id)).toBe("ran");
    expect(await state(asked.id)).toMatchObject({
      status: "succeeded",
      result: { secret: "as edited" },
      decidedBy: [APPROVER],
      edits: [
        {
          by: APPROVER,
          changes: [
            { field: "amount", before: "12.50", after: "10" },
            { field: "text", before: "as asked", after: "as edited" },
            { field: "to", before: ["x", "y"], after: ["y"] },
          ],
        },
      ],
    });
    const old = await getApproval(org().approver.actor, { id: asked.approval?.id ?? "" });
    expect(old).toMatchObject({ status: "voided", arguments: order });
    expect(await getApproval(org().approver.actor, { id: decided.id })).toMatchObject({
      status: "approved",
      arguments: less,
    });
  });

  it("is in the log with both digests and the names of what changed, and nothing that was said", async () => {
    const asked = await submit("test.order", order);
    const before = await getApproval(org().approver.actor, { id: asked.approval?.id ?? "" });
    const decided = await edit(asked);
    const after = await getApproval(org().approver.actor, { id: decided.id });
    const log = await entries(asked.id);
    expect(log.find(({ type }) => type === "request.edited")?.document.fields).toEqual({
      action: "test.order",
      from: before.digest,
      to: after.digest,
      changed: ["amount", "text", "to"],
      approval: decided.id,
    });
    expect(log.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["approval.voided", "request.edited", "approval.requested", "approval.approved"]),
    );
    expect(JSON.stringify(log)).not.toMatch(/as edited|12\.50/);
  });

  it("makes what was given for the old version void: a second person has to see the new one", async () => {
    await createRule(org().admin.actor, {
      name: "two",
      verdict: "approval",
      condition: "true",
      people: 2,
      reason: "test",
    });
    const asked = await submit("test.order", order);
    expect(await approve(asked, org().admin)).toMatchObject({ status: "pending", remaining: 1 });
    const decided = await edit(asked);
    expect(decided).toMatchObject({ status: "pending", remaining: 1 });
    expect(await reasonOf(approve(asked, org().owner))).toBe("already_decided");
    const edited = { ...asked, approval: { ...asked.approval, id: decided.id } } as Answer;
    expect(await reasonOf(approve(edited))).toBe("same_person");
    expect(await approve(edited, org().admin)).toMatchObject({ status: "approved" });
    expect(await execute(asked.id)).toBe("ran");
  });

  it("asks for what the new version takes: an amount lowered under a threshold takes one person", async () => {
    await createRule(org().admin.actor, {
      name: "much",
      verdict: "approval",
      condition: "args.amount == '12.50'",
      people: 2,
      reason: "test",
    });
    const lower = { ...order, amount: "10" };
    expect(await edit(await submit("test.order", order), lower)).toMatchObject({ status: "approved" });
    const text = { ...order, text: "as edited" };
    expect(await edit(await submit("test.order", order), text)).toMatchObject({ status: "pending", remaining: 1 });
  });

  it("takes the role that either version takes, and then changes nothing", async () => {
    const rule = (name: string, condition: string) =>
      createRule(org().admin.actor, {
        name,
        verdict: "approval",
        condition,
        requiredRole: "owner",
        reason: "test",
      });
    const first = await rule("asked", "args.text == 'as asked'");
    const asked = await submit("test.order", order);
    expect(await reasonOf(edit(asked))).toBe("role_required");
    await changeRule(org().admin.actor, { id: first.id, version: first.version, enabled: false, reason: "test" });
    const other = await submit("test.order", { ...order, text: "x" });
    await rule("edited", "args.text == 'as edited'");
    expect(await reasonOf(edit(other))).toBe("role_required");
    expect(await getApproval(org().approver.actor, { id: other.approval?.id ?? "" })).toMatchObject({
      status: "pending",
      arguments: { text: "x" },
      edits: [],
    });
    expect((await entries(other.id)).at(-1)?.document.fields).toMatchObject({ code: "role_required" });
  });

  it.each([
    ["more than it may", { ...order, amount: "13" }, "only_lower"],
    ["another argument", { ...order, target: "b" }, "not_editable"],
    ["nothing", order, "nothing_edited"],
    ["what the schema refuses", { ...order, extra: 1 }, "unrecognized_keys"],
  ])("refuses %s, and nothing changes", async (_name, args, reason) => {
    const asked = await submit("test.order", order);
    expect(await reasonOf(edit(asked, args))).toBe(reason);
    expect(await state(asked.id)).toMatchObject({
      status: "pending",
      version: 1,
      approval: { id: asked.approval?.id },
    });
  });

  it("passes the secret scan and the rules of now as any call does", async () => {
    const asked = await submit("test.order", order);
    const secret = { ...order, text: `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3fG5"}` };
    expect(await reasonOf(edit(asked, secret))).toBe("blocked");
    await createRule(org().admin.actor, {
      name: "never",
      verdict: "deny",
      condition: "args.text == 'as edited'",
      reason: "test",
    });
    expect(await reasonOf(edit(asked))).toBe("blocked");
    expect(await approve(asked)).toMatchObject({ status: "approved" });
  });

  it("is refused for what is no longer what was shown: it is asked anew as it stands", async () => {
    const asked = await submit("test.order", order);
    const config = { file: "/dev/null" };
    await changeConnection(org().admin.actor, { id: grant().connectionId, configVersion: 1, config });
    expect(await reasonOf(edit(asked))).toBe("changed");
    const now = await state(asked.id);
    expect(now).toMatchObject({
      status: "pending",
      approval: { reasons: expect.arrayContaining([{ code: "changed", text: expect.any(String) }]) },
    });
    expect(now.edits).toBeUndefined();
  });

  it("is bound to the version that was shown, and over once that is decided", async () => {
    const asked = await submit("test.order", order);
    const id = asked.approval?.id ?? "";
    const { digest } = await getApproval(org().approver.actor, { id });
    const wrong = digest.replace(/^./, (first) => (first === "0" ? "1" : "0"));
    expect(await reasonOf(editAndApprove(org().approver.actor, { id, digest: wrong, arguments: less }))).toBe(
      "digest_mismatch",
    );
    await approve(asked);
    expect(await reasonOf(editAndApprove(org().approver.actor, { id, digest, arguments: less }))).toBe(
      "already_decided",
    );
  });

  it("is not for who owns the agent, for a role that does not decide, nor for who may not see content", async () => {
    const asked = await submit("test.order", order);
    const id = asked.approval?.id ?? "";
    const { digest } = await getApproval(org().approver.actor, { id });
    const input = { id, digest, arguments: less };
    expect(await reasonOf(editAndApprove(org().agentOwner.actor, input))).toBe("own_request");
    expect(await reasonOf(editAndApprove(org().auditor.actor, input))).toBe("not_permitted");
    const { actor } = org().approver;
    const blind = { ...actor, permissions: new Set([...actor.permissions].filter((name) => name !== "content:read")) };
    expect(await reasonOf(editAndApprove(blind, input))).toBe("not_permitted");
    expect(await state(asked.id)).toMatchObject({ status: "pending", version: 1 });
  });

  it("shows who may not see content that something was edited, and not what", async () => {
    const asked = await submit("test.order", order);
    await edit(asked);
    const { edits } = await describeToolRequest(org().auditor.actor, { id: asked.id });
    expect(edits).toMatchObject([{ by: APPROVER, changes: null }]);
    expect(await describeToolRequest(org().admin.actor, { id: asked.id })).toMatchObject({
      arguments: less,
      edits: [{ changes: [{ field: "amount" }, { field: "text" }, { field: "to" }] }],
    });
  });

  it("can follow an edit: each says what it changed, and every approval shows what it was asked for", async () => {
    await createRule(org().admin.actor, {
      name: "two",
      verdict: "approval",
      condition: "true",
      people: 2,
      reason: "test",
    });
    const asked = await submit("test.order", order);
    const first = await edit(asked, { ...order, amount: "11" });
    const between = { ...asked, approval: { ...asked.approval, id: first.id } } as Answer;
    const second = await edit(between, { ...order, amount: "9" }, org().admin);
    const shown = await Promise.all(
      [asked.approval?.id ?? "", first.id, second.id].map((id) => getApproval(org().owner.actor, { id })),
    );
    expect(shown.map(({ status, arguments: args }) => [status, (args as typeof order).amount])).toEqual([
      ["voided", "12.50"],
      ["voided", "11"],
      ["pending", "9"],
    ]);
    expect(new Set(shown.map(({ digest }) => digest)).size).toBe(3);
    expect(shown[2]?.edits).toMatchObject([
      { by: APPROVER, changes: [{ before: "12.50", after: "11" }] },
      { by: "Some admin", changes: [{ before: "11", after: "9" }] },
    ]);
  });
});
