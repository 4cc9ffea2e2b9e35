import { describe, expect, it } from "vitest";
import type { MemberActor } from "@/server/domain/actor";
import { permissionsOfPerson, permissionsOfToken } from "@/server/domain/permission";
import { giveRight } from "@/server/services/approval-rights/give";
import { withdrawRight } from "@/server/services/approval-rights/withdraw";
import { editAndApprove } from "@/server/services/approvals/edit";
import { getApproval } from "@/server/services/approvals/get";
import type { Answer } from "@/server/services/requests/answer";
import { createRule } from "@/server/services/rules/create";
import { gatewayFixture, reasonOf } from "./fixture";

const { org, submit, execute, state } = gatewayFixture();

const order = { target: "a", text: "as asked", amount: "12.50" };
const less = { ...order, amount: "10" };

const holder = (): MemberActor => ({ ...org().member.actor, permissions: permissionsOfPerson("member", true) });
const give = (scope: object = {}) =>
  giveRight(org().admin.actor, { member: org().member.id, maxRisk: "medium", ...scope });

async function edit(answer: Answer, actor: MemberActor, args: object = less) {
  const id = answer.approval?.id ?? "";
  const { digest } = await getApproval(org().admin.actor, { id });
  return editAndApprove(actor, { id, digest, arguments: args as never });
}

describe("editing by a right to approve", () => {
  it("is offered for what the right covers, and what was edited runs", async () => {
    await give({ actions: ["test.order"] });
    const asked = await submit("test.order", order);
    const seen = await getApproval(holder(), { id: asked.approval?.id ?? "" });
    expect(seen).toMatchObject({ arguments: order, editable: { text: "text", amount: "lower" } });
    expect(await edit(asked, holder())).toMatchObject({ status: "approved" });
    expect(await execute(asked.id)).toBe("ran");
    expect(await state(asked.id)).toMatchObject({ edits: [{ by: "Some member" }] });
  });

  it("is refused where the right does not reach, before anything of the content is told", async () => {
    const { id } = await give({ actions: ["test.write"] });
    const asked = await submit("test.order", order);
    // Neither a right guess nor an edit too far is answered by what the content is.
    for (const args of [order, { ...order, amount: "99" }, less]) {
      expect(await reasonOf(edit(asked, holder(), args))).toBe("not_permitted");
    }
    await withdrawRight(org().admin.actor, { id });
    await give();
    expect(await reasonOf(edit(asked, holder()))).toBe("authority_given_later");
  });

  it("is refused to a member without a right, to an auditor, and to a token that does not read", async () => {
    const asked = await submit("test.order", order);
    expect(await reasonOf(edit(asked, holder()))).toBe("not_permitted");
    expect(await reasonOf(edit(asked, org().auditor.actor))).toBe("not_permitted");
    await give();
    const later = await submit("test.order", { ...order, target: "b" });
    const deciding = { ...org().member.actor, permissions: permissionsOfToken("member", ["decide"], true) };
    expect(await reasonOf(edit(later, deciding, { ...less, target: "b" }))).toBe("not_permitted");
  });

  it("does not edit around an admin", async () => {
    await give();
    const rule = { name: "Admin", verdict: "approval", condition: "true", requiredRole: "admin", reason: "t" } as const;
    await createRule(org().admin.actor, rule);
    expect(await reasonOf(edit(await submit("test.order", order), holder()))).toBe("not_permitted");
  });
});
