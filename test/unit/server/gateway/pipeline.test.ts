import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Facts } from "@/server/domain/facts";
import type { ToolCall } from "@/server/domain/tool-request";
import { CHECK_NAMES, type DenyCode, type Verdict } from "@/server/domain/verdict";
import type { Check } from "@/server/gateway/check";
import { CHECKS, judge } from "@/server/gateway/pipeline";
import { allowingFacts, unitCall } from "@/test/support/facts";

const base = allowingFacts();
const withAgent = (change: Partial<Facts["agent"]>) => allowingFacts({ agent: { ...base.agent, ...change } });
const withGrant = (change: Partial<Facts["grants"][number]>) =>
  allowingFacts({ grants: base.grants.map((grant) => ({ ...grant, ...change })) });
const withConnection = (change: object) =>
  allowingFacts({ connection: base.connection && { ...base.connection, ...change } });
const withControls = (change: object) => allowingFacts({ controls: base.controls && { ...base.controls, ...change } });
const rule = (verdict: "deny" | "approval", condition: string) => [
  { id: "rul_01ARZ3NDEKTSV4RRFFQ69G5FAV", name: "a rule", verdict, condition },
];

type Case = { code: DenyCode; check: string; facts: Facts; call?: ToolCall };

const REFUSALS: Case[] = [
  { check: "controls", code: "control_state_unknown", facts: allowingFacts({ controls: null }) },
  { check: "controls", code: "key_not_valid", facts: allowingFacts({ key: null }) },
  {
    check: "controls",
    code: "key_not_valid",
    facts: allowingFacts({ key: base.key && { ...base.key, expiresAt: base.now } }),
  },
  { check: "controls", code: "deployment_locked_down", facts: allowingFacts({ deploymentLevel: "lockdown" }) },
  { check: "controls", code: "deployment_frozen", facts: allowingFacts({ deploymentLevel: "freeze" }) },
  {
    check: "controls",
    code: "locked_down",
    facts: withControls({ killLevel: "lockdown" }),
    call: unitCall({ effect: "read" }),
  },
  { check: "controls", code: "frozen", facts: withControls({ killLevel: "freeze" }) },
  { check: "controls", code: "agent_paused", facts: withAgent({ isPaused: true }), call: unitCall({ effect: "read" }) },
  { check: "controls", code: "action_off", facts: withControls({ actionsOff: ["unit.act"] }) },
  { check: "controls", code: "tool_off", facts: withControls({ actionsOff: ["unit"] }) },
  { check: "controls", code: "recorded_as_proposal", facts: withControls({ readOnly: true }) },
  { check: "controls", code: "recorded_as_proposal", facts: withAgent({ readOnly: true }) },
  { check: "grant", code: "no_grant", facts: allowingFacts({ connection: null }) },
  { check: "grant", code: "no_grant", facts: withGrant({ actions: ["unit.other"] }) },
  { check: "grant", code: "grant_expired", facts: withGrant({ expiresAt: base.now }) },
  { check: "grant", code: "grant_read_only", facts: withGrant({ access: "read" }) },
  { check: "validation", code: "connection_not_active", facts: withConnection({ status: "suspended" }) },
  { check: "validation", code: "wrong_provider", facts: withConnection({ provider: "other" }) },
  { check: "validation", code: "capability_missing", facts: withConnection({ capabilities: [] }) },
  {
    check: "validation",
    code: "risk_too_high",
    facts: withGrant({ maxRisk: "low" }),
    call: unitCall({ risk: "medium" }),
  },
  { check: "validation", code: "argument_not_allowed", facts: base, call: unitCall({}, "elsewhere") },
  { check: "validation", code: "argument_not_allowed", facts: withGrant({ allow: {} }) },
  { check: "validation", code: "argument_not_allowed", facts: withGrant({ allow: { "unit.act": { targets: [] } } }) },
  {
    check: "validation",
    code: "usage_limit",
    facts: allowingFacts({ usage: { grt_1: { minute: 10, hour: 10, day: 10 } } }),
  },
  { check: "validation", code: "check_failed", facts: allowingFacts({ usage: {} }) },
  {
    check: "secret_scan",
    code: "secret_found",
    facts: allowingFacts({ secretHits: [{ field: "arguments.target", kind: "a key" }] }),
  },
  {
    check: "approval_reasons",
    code: "rule_denied",
    facts: allowingFacts({ rules: rule("deny", "true") as Facts["rules"] }),
  },
  {
    check: "approval_reasons",
    code: "rule_failed",
    facts: allowingFacts({ rules: rule("approval", "no_such_name") as Facts["rules"] }),
  },
  { check: "approval_reasons", code: "recorded_as_proposal", facts: withAgent({ autonomy: "suggest" }) },
  { check: "reservation", code: "no_budget", facts: allowingFacts({ budgets: [] }), call: unitCall({ priced: true }) },
  {
    check: "reservation",
    code: "budget_spent",
    facts: allowingFacts({ budgets: base.budgets.map((budget) => ({ ...budget, spentMicros: 96n })) }),
    call: unitCall({ priced: true }),
  },
];

describe("the pipeline", () => {
  it("holds the six checks in their order", () => {
    expect(CHECKS.map((check) => check.name)).toEqual(CHECK_NAMES);
  });

  it("allows a call that nothing speaks against", () => {
    expect(judge(unitCall(), base)).toEqual({ kind: "allow" });
  });

  it.each(REFUSALS)("$check refuses with $code", ({ check, code, facts, call = unitCall() }) => {
    expect(judge(call, facts)).toMatchObject({ kind: "deny", check, denial: { code } });
  });

  it("has a refusal of every check in the table above", () => {
    expect(new Set(REFUSALS.map((refusal) => refusal.check))).toEqual(new Set(CHECK_NAMES));
  });

  it("lets reads go on in a freeze and in read-only mode", () => {
    const read = unitCall({ effect: "read" });
    expect(judge(read, withControls({ killLevel: "freeze" })).kind).toBe("allow");
    expect(judge(read, withControls({ readOnly: true })).kind).toBe("allow");
  });

  it("refuses everything without a check, and what a check throws on", () => {
    const broken: Check = {
      name: "grant",
      run: () => {
        throw new Error("a bug");
      },
    };
    expect(judge(unitCall(), base, [])).toMatchObject({ kind: "deny", denial: { code: "check_failed" } });
    expect(judge(unitCall(), base, [broken])).toMatchObject({
      kind: "deny",
      check: "grant",
      denial: { code: "check_failed" },
    });
  });

  it("says when a usage limit lets the next call through", () => {
    const usage = { grt_1: { minute: 10, hour: 10, day: 10 } };
    expect(judge(unitCall(), allowingFacts({ usage }))).toMatchObject({ denial: { retryAfterS: 30 } });
  });

  it("asks at least as much when one thing more speaks against a call", () => {
    const rank = (verdict: Verdict) => ["allow", "approval", "deny"].indexOf(verdict.kind);
    const shape = fc.record({
      effect: fc.constantFrom("read" as const, "write" as const),
      irreversible: fc.boolean(),
      outward: fc.boolean(),
      risk: fc.constantFrom("low" as const, "medium" as const, "high" as const),
    });
    const labels = fc.subarray(["unverified", "untrusted", "sensitive"] as const);
    const autonomy = fc.constantFrom("autonomous" as const, "supervised" as const, "approve_each" as const);
    fc.assert(
      fc.property(shape, labels, autonomy, (nature, some, level) => {
        const facts = withAgent({ autonomy: level });
        const clean = judge(unitCall(nature), facts);
        const labelled = judge(unitCall(nature), { ...facts, session: { ...facts.session, labels: some } });
        const ruled = judge(unitCall(nature), { ...facts, rules: rule("approval", "true") as Facts["rules"] });
        return rank(labelled) >= rank(clean) && rank(ruled) >= Math.max(1, rank(clean));
      }),
    );
  });

  it("never lets an unclean session do what is irreversible or outward alone, whatever the settings", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("autonomous" as const, "supervised" as const),
        fc.constantFrom("unverified" as const, "untrusted" as const, "sensitive" as const),
        fc.constantFrom({ irreversible: true }, { outward: true }, { risk: "high" as const }),
        (level, label, nature) => {
          const facts = withAgent({ autonomy: level });
          const session = { ...facts.session, labels: [label] };
          return judge(unitCall(nature), { ...facts, session }).kind === "approval";
        },
      ),
    );
  });
});
