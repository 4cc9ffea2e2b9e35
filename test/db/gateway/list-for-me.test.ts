import { expect, it } from "vitest";
import { listApprovals } from "@/server/services/approvals/list";
import { createRule } from "@/server/services/rules/create";
import { gatewayFixture } from "@/test/db/gateway/fixture";

const { org, submit, approve } = gatewayFixture();

it("those that wait for the reader are listed by themselves, exactly where each says that they may decide it", async () => {
  const rule = (name: string, condition: string, more: object) =>
    createRule(org().admin.actor, { name, verdict: "approval", condition, reason: "test", ...more });
  await rule("owners", 'args.target == "x"', { requiredRole: "owner" });
  await rule("two", 'args.target == "y"', { people: 2 });
  const [others, half, mine] = [
    await submit("test.final", { target: "x" }),
    await submit("test.final", { target: "y" }),
    await submit("test.final", { target: "z" }),
  ];
  await approve(half);
  const idsFor = async (who: "approver" | "admin" | "owner" | "agentOwner" | "auditor") => {
    const { items } = await listApprovals(org()[who].actor, { forMe: true });
    const all = await listApprovals(org()[who].actor, {});
    expect(items.map(({ id }) => id)).toEqual(
      all.items.filter(({ mayDecide }) => mayDecide.allowed).map(({ id }) => id),
    );
    return items.map(({ id }) => id);
  };
  expect(await idsFor("approver")).toEqual([mine.approval?.id]);
  expect(await idsFor("admin")).toEqual([half.approval?.id, mine.approval?.id]);
  expect(await idsFor("owner")).toEqual([others.approval?.id, half.approval?.id, mine.approval?.id]);
  expect(await idsFor("agentOwner")).toEqual([]);
  expect(await idsFor("auditor")).toEqual([]);
});
