import { beforeAll, expect, it } from "vitest";
import { conditionOf } from "@/server/domain/rule-forms";
import { submitToolRequest } from "@/server/services/requests/submit";
import { createRule } from "@/server/services/rules/create";
import { registerPayingTool } from "@/test/support/paying-tool";
import { testGrant } from "@/test/support/test-tools";
import { gatewayFixture, reasonOf } from "./fixture";

const { org, submit } = gatewayFixture();
beforeAll(registerPayingTool);

const above = conditionOf([{ kind: "amount", limits: [{ currency: "EUR", above: "500" }], others: true }]);
const pay = async (value: string, currency = "EUR") => {
  const { connectionId } = await testGrant(org(), "/dev/null", { actions: ["test.pay"] });
  const args = { target: "a", payment: { value, currency } };
  return submitToolRequest(org().agent.actor, { action: "test.pay", connection: connectionId, arguments: args });
};
const rule = (verdict: "deny" | "approval", condition = above) =>
  createRule(org().admin.actor, { name: "Payments", verdict, condition });

it("an amount typed by the action is compared exactly, by currency", async () => {
  await rule("deny");
  expect(await pay("500")).toMatchObject({ status: "succeeded" });
  expect(await reasonOf(pay("500.000001"))).toBe("rule_denied");
  expect(await reasonOf(pay("1", "USD"))).toBe("rule_denied");
});

it("an amount that is no decimal is refused by the action's schema, whatever the rules", async () => {
  expect(await reasonOf(pay("12,5"))).not.toBe("it did not fail");
  expect(await reasonOf(pay("-5"))).not.toBe("it did not fail");
});

it("a call whose amount cannot be read for certain asks, where a rule looks at amounts, and says why", async () => {
  await rule("approval");
  const { connectionId } = await testGrant(org(), "/dev/null", { actions: ["test.order"] });
  const unclear = await submitToolRequest(org().agent.actor, {
    action: "test.order",
    connection: connectionId,
    arguments: { target: "a", amount: "12.000" },
  });
  expect(unclear).toMatchObject({ status: "pending" });
  expect(unclear.approval?.reasons).toContainEqual({
    code: "amount_unclear",
    text: 'The rule "Payments" looks at the amount, and an amount in the arguments can be read in more than one way.',
  });
  expect(await submit("test.write", { target: "a" })).toMatchObject({ status: "succeeded" });
});
