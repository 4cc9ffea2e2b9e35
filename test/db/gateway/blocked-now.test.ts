import { expect, it } from "vitest";
import { getApproval } from "@/server/services/approvals/get";
import { changeRule } from "@/server/services/rules/change";
import { createRule } from "@/server/services/rules/create";
import { gatewayFixture } from "@/test/db/gateway/fixture";

const { org, submit, approve, execute, state } = gatewayFixture();

it("what a check refused when it was to run is shown as blocked for as long as it is, and by what it is now", async () => {
  const asked = await submit("test.final");
  await approve(asked);
  const deny = { name: "no", verdict: "deny", condition: "true", reason: "test" } as const;
  const rule = await createRule(org().admin.actor, deny);
  expect(await execute(asked.id)).toBe("returned");
  const id = (await state(asked.id)).approval?.id ?? "";
  const shown = () => getApproval(org().approver.actor, { id });
  expect(await shown()).toMatchObject({ blocked: { check: "approval_reasons", code: "rule_denied" } });
  await changeRule(org().admin.actor, { id: rule.id, version: rule.version, enabled: false, reason: "test" });
  expect(await shown()).toMatchObject({ blocked: null });
  expect(await approve(await state(asked.id))).toMatchObject({ status: "approved" });
});
