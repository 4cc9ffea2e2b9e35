import { expect, it } from "vitest";
import { listApprovals } from "@/server/services/approvals/list";
import { consoleSummary } from "@/server/services/console/summary";
import { createRule } from "@/server/services/rules/create";
import { gatewayFixture } from "@/test/db/gateway/fixture";
import { testOrganization } from "@/test/support/organization";

const { org, submit, approve } = gatewayFixture();

it("counts for each person exactly what the list says they can decide", async () => {
  const rule = { name: "by owner", verdict: "approval", condition: "args.target == 'owner'" } as const;
  await createRule(org().admin.actor, { ...rule, requiredRole: "owner", reason: "test" });
  const two = { name: "two", verdict: "approval", condition: "args.target == 'two'" } as const;
  await createRule(org().admin.actor, { ...two, people: 2, reason: "test" });
  await submit("test.final");
  await submit("test.final", { target: "owner" });
  await approve(await submit("test.final", { target: "two" }));
  const { owner, admin, approver, agentOwner, member, auditor } = org();
  const counts = new Map<string, number>();
  for (const person of [owner, admin, approver, agentOwner, auditor]) {
    const { waiting } = await consoleSummary(person.actor, {});
    const { items } = await listApprovals(person.actor, { status: "pending" });
    expect(waiting).toBe(items.filter((item) => item.mayDecide.allowed).length);
    counts.set(person.id, waiting);
  }
  expect([owner, admin, approver, agentOwner, auditor].map(({ id }) => counts.get(id))).toEqual([3, 2, 1, 0, 0]);
  expect((await consoleSummary(member.actor, {})).waiting).toBe(0);
});

it("names one's own organization and counts nothing of another", async () => {
  await submit("test.final");
  const other = await testOrganization("Other");
  expect(await consoleSummary(other.owner.actor, {})).toMatchObject({ organizationName: "Other", waiting: 0 });
});
