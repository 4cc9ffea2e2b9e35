import { expect, it } from "vitest";
import { conditionOf, type RulePart } from "@/server/domain/rule-forms";
import { submitToolRequest } from "@/server/services/requests/submit";
import { createRule } from "@/server/services/rules/create";
import { replayRules } from "@/server/services/rules/replay";
import { testGrant } from "@/test/support/test-tools";
import { gatewayFixture, reasonOf } from "./fixture";

const { org, submit } = gatewayFixture();

const isNewTo = (to: "agent" | "organization"): string => {
  const part: RulePart = { kind: "newTargets", to, of: "any" };
  return conditionOf([part]);
};

it("a target is new to an agent over a connection until reached, and to the organization until anybody reached it", async () => {
  await submit("test.write", { target: "reached" });
  const other = await testGrant(org(), "/dev/null");
  const write = (target: string) =>
    submitToolRequest(org().agent.actor, {
      action: "test.write",
      connection: other.connectionId,
      arguments: { target },
    });
  const [agent, all] = [isNewTo("agent"), isNewTo("organization")];
  await createRule(org().admin.actor, { name: "New to the agent", verdict: "approval", condition: agent });
  await createRule(org().admin.actor, { name: "New to all", verdict: "deny", condition: all });
  expect(await write("reached")).toMatchObject({ status: "pending" });
  expect(await reasonOf(write("never"))).toBe("rule_denied");
  expect(await submit("test.write", { target: "reached" })).toMatchObject({ status: "succeeded" });
});

it("replay knows what was new to the organization when it was asked", async () => {
  const first = await submit("test.write", { target: "reached" });
  const second = await submit("test.write", { target: "reached" });
  const change = { name: "New to all", verdict: "deny", condition: isNewTo("organization") } as const;
  const { changes } = await replayRules(org().admin.actor, { days: 1, change });
  expect(changes.map(({ id }) => id)).toEqual([first.id]);
  expect(second.id).not.toBe(first.id);
});
