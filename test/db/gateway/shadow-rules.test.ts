import { describe, expect, it } from "vitest";
import { describeToolRequest } from "@/server/services/requests/detail";
import { changeRule } from "@/server/services/rules/change";
import { createRule } from "@/server/services/rules/create";
import { getRuleSet } from "@/server/services/rules/get-set";
import { replayRules } from "@/server/services/rules/replay";
import { restoreRules } from "@/server/services/rules/restore";
import { countShadow } from "@/server/services/rules/shadow-counts";
import { fiveCases } from "@/test/support/five-cases";
import { testOrganization } from "@/test/support/organization";
import { gatewayFixture, reasonOf } from "./fixture";

const { org, submit, performed } = gatewayFixture();
const admin = () => org().admin.actor;
const WRITES = 'action == "test.write"';
const shadow = (verdict: "deny" | "approval", condition = WRITES, name = "Writes") =>
  createRule(admin(), { name, verdict, condition, isShadow: true });
const shadowOf = async (id: string) => (await describeToolRequest(org().auditor.actor, { id })).shadow;

describe("a rule in shadow", () => {
  it("stops nothing and asks nobody, and what it would have done stands with the request", async () => {
    const denial = await shadow("deny");
    const question = await shadow("approval", WRITES, "Asks");
    const answer = await submit("test.write");
    expect(answer).toMatchObject({ status: "succeeded" });
    expect(performed(answer.id)).toBe(1);
    expect(await shadowOf(answer.id)).toEqual([
      { rule: denial.id, name: "Writes", verdict: "deny", outcome: "matched" },
      { rule: question.id, name: "Asks", verdict: "approval", outcome: "matched" },
    ]);
    expect(await shadowOf((await submit("test.read")).id)).toEqual([]);
  });

  it("that fails or costs too much denies nothing, and takes no cost from those that are enforced", async () => {
    const broken = await shadow("deny", "args.missing == 1.0");
    await createRule(admin(), { name: "Enforced", verdict: "deny", condition: 'args.target == "forbidden"' });
    const answer = await submit("test.write");
    expect(answer).toMatchObject({ status: "succeeded" });
    expect(await shadowOf(answer.id)).toMatchObject([{ rule: broken.id, outcome: "failed", verdict: "deny" }]);
    expect(await reasonOf(submit("test.write", { target: "forbidden" }))).toBe("rule_denied");
  });

  it("is recorded with what waits, what is scheduled and what another rule denied", async () => {
    await shadow("approval", "true");
    const asked = await submit("test.final");
    expect(asked).toMatchObject({ status: "pending" });
    await createRule(admin(), { name: "No", verdict: "deny", condition: WRITES });
    const id = await submit("test.write").catch(({ details }) => details.extra.id as string);
    expect(await shadowOf(asked.id)).toHaveLength(1);
    expect(await shadowOf(id as string)).toHaveLength(1);
  });

  it("is enforced from the moment that it leaves the shadow, and counted no more", async () => {
    const { id } = await shadow("deny");
    await submit("test.write");
    expect((await countShadow(admin(), {})).rules).toMatchObject([{ rule: id, denied: 1, asked: 0, failed: 0 }]);
    const live = await changeRule(admin(), { id, version: 1, isShadow: false, reason: "It is right." });
    expect(live.isShadow).toBe(false);
    expect(await reasonOf(submit("test.write"))).toBe("rule_denied");
    expect((await countShadow(admin(), {})).rules).toEqual([]);
  });

  it("counts anew when it is changed", async () => {
    const { id } = await shadow("approval");
    await submit("test.write");
    await changeRule(admin(), { id, version: 1, condition: 'action == "test.read"', reason: "Reads." });
    await submit("test.read");
    await submit("test.read");
    expect((await countShadow(admin(), {})).rules).toMatchObject([{ rule: id, denied: 0, asked: 2, failed: 0 }]);
  });

  it("stands in the versions as such, and comes back as such", async () => {
    const { id, createdAt: _ } = await shadow("deny");
    await changeRule(admin(), { id, version: 1, isShadow: false, reason: "Live." });
    const { changes, currentVersion } = await getRuleSet(admin(), { version: 2 });
    expect(changes).toMatchObject([{ id, fields: [{ field: "isShadow", from: "true", to: null }] }]);
    await restoreRules(admin(), { version: 1, current: currentVersion, reason: "Too early." });
    expect(await submit("test.write")).toMatchObject({ status: "succeeded" });
  });

  it("changes no replay, unless it is the rule that is tried: then it counts as if enforced", async () => {
    const { id: request } = await submit("test.write");
    const rule = await shadow("deny");
    const other = { name: "Other", verdict: "deny", condition: 'action == "test.high"' } as const;
    expect((await replayRules(admin(), { days: 1, change: other })).changes).toEqual([]);
    const all = [{ name: "A", verdict: "deny", condition: WRITES, isShadow: true } as const];
    expect((await replayRules(admin(), { days: 1, rules: all })).changes).toEqual([]);
    const change = { id: rule.id, name: "Writes", verdict: "deny", condition: WRITES, isShadow: true } as const;
    const { changes } = await replayRules(admin(), { days: 1, change });
    expect(changes.map(({ id, would }) => [id, would.verdict])).toEqual([[request, "deny"]]);
  });
});

describe("rules.count_shadow", () => {
  fiveCases({
    command: countShadow,
    allowed: async () => ({ actor: org().auditor.actor, input: {} }),
    invalid: async () => ({ actor: admin(), input: { days: 0 }, field: "days" }),
    forbidden: async () => ({ actors: [org().member.actor, org().agent.actor], input: {} }),
    otherOrganization: null,
    conflict: null,
  });

  it("tells nothing of another organization", async () => {
    await shadow("deny");
    await submit("test.write");
    const other = await testOrganization();
    expect((await countShadow(other.owner.actor, {})).rules).toEqual([]);
  });
});
