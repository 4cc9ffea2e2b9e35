import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { editAndApprove } from "@/server/services/approvals/edit";
import { getApproval } from "@/server/services/approvals/get";
import type { Answer } from "@/server/services/requests/answer";
import { createRule } from "@/server/services/rules/create";
import { gatewayFixture, reasonOf } from "@/test/db/gateway/fixture";

const { org, submit, approve } = gatewayFixture();

const order = { target: "a", text: "as asked", amount: "12.50", to: ["x", "y"] };

async function edit(answer: Answer, args: object, more: object = {}) {
  const id = answer.approval?.id ?? "";
  const { digest } = await getApproval(org().approver.actor, { id });
  return editAndApprove(org().approver.actor, { id, digest, arguments: args as never, ...more });
}

describe("an edit", () => {
  it("takes two people where either wording does", async () => {
    const condition = "args.text == 'as asked'";
    await createRule(org().admin.actor, { name: "wording", verdict: "approval", condition, people: 2, reason: "test" });
    expect(await edit(await submit("test.order", order), { ...order, text: "as edited" })).toMatchObject({
      status: "pending",
      remaining: 1,
    });
  });

  it("makes of what a rule of now refuses what it allows", async () => {
    const asked = await submit("test.order", order);
    const condition = "args.amount == '12.50'";
    await createRule(org().admin.actor, { name: "too much", verdict: "deny", condition, reason: "test" });
    expect(await reasonOf(approve(asked))).toBe("blocked");
    expect(await reasonOf(edit(asked, { ...order, text: "as edited" }))).toBe("blocked");
    expect(await edit(asked, { ...order, amount: "10" })).toMatchObject({ status: "approved" });
  });

  it("may say why", async () => {
    const less = { ...order, to: ["y"] };
    await edit(await submit("test.order", order), less, { reason: "One recipient is enough." });
    const { rows } = await withOrgSql(org().id, (q) =>
      q.query("SELECT 1 FROM decision WHERE sealed_reason IS NOT NULL"),
    );
    expect(rows).toHaveLength(1);
  });
});
