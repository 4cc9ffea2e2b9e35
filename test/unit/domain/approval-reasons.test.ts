import { describe, expect, test } from "vitest";
import {
  type ApprovalReason,
  judgeReasons,
  type ReasonInput,
  satisfies,
  unanswered,
} from "@/server/domain/approval-reasons";
import type { Rule, RuleMatch } from "@/server/domain/rule";
import { ruleWith } from "@/test/support/rule-facts";

/** An autonomous agent in a clean session doing a reversible, inward, low-risk write: nothing asks. */
const QUIET: ReasonInput = {
  action: "crm.update",
  effect: "write",
  risk: "low",
  irreversible: false,
  outward: false,
  executesCode: false,
  autonomy: "autonomous",
  isTakenUp: false,
  sessionLabels: [],
  newTargets: [],
  mandatoryActions: [],
  ruleMatches: [],
};

const codesOf = (input: Partial<ReasonInput>) => judgeReasons({ ...QUIET, ...input }).reasons.map(({ code }) => code);
const kindOf = (input: Partial<ReasonInput>) => judgeReasons({ ...QUIET, ...input }).kind;
const denyRule = (): Rule => ({ id: ruleWith("true").id, name: "No", condition: "true", verdict: "deny" });
const matched = (rule: Rule): RuleMatch => ({ rule, outcome: "matched" });

describe("the floor", () => {
  test("with nothing to ask about, it allows", () =>
    expect(judgeReasons(QUIET)).toEqual({ kind: "allow", reasons: [] }));

  test.each<[string, Partial<ReasonInput>, string[]]>([
    ["declared high risk", { risk: "high" }, ["high_risk"]],
    ["declared high risk, for a read too", { risk: "high", effect: "read" }, ["high_risk"]],
    ["code execution", { executesCode: true }, ["code_execution"]],
    ["the operator's list", { mandatoryActions: ["a.b", "crm.update"] }, ["mandatory_action"]],
    ["an agent at approve_each, for every effect", { autonomy: "approve_each" }, ["each_effect"]],
    ["what is taken up from an agent at suggest", { autonomy: "suggest", isTakenUp: true }, ["taken_up"]],
    [
      "an irreversible action from an unverified session",
      { irreversible: true, sessionLabels: ["unverified"] },
      ["unclean_irreversible"],
    ],
    [
      "an outward action from an untrusted session",
      { outward: true, sessionLabels: ["untrusted"] },
      ["unclean_outward"],
    ],
    [
      "an outward read from an unverified session",
      { outward: true, effect: "read", sessionLabels: ["unverified"] },
      ["unclean_outward"],
    ],
    [
      "an outward action from a sensitive session",
      { outward: true, sessionLabels: ["sensitive"] },
      ["unclean_outward"],
    ],
    [
      "every effect of an unverified session that is also sensitive",
      { sessionLabels: ["unverified", "sensitive"] },
      ["unclean_sensitive"],
    ],
    [
      "every effect of an untrusted session that is also sensitive",
      { sessionLabels: ["sensitive", "untrusted"] },
      ["unclean_sensitive"],
    ],
  ])("asks for %s", (_name, input, codes) => {
    expect(codesOf(input)).toEqual(codes);
    expect(kindOf(input)).toBe("approval");
  });

  test.each<[string, Partial<ReasonInput>]>([
    ["irreversible and outward from a clean session", { irreversible: true, outward: true }],
    ["a reversible inward effect from an unverified session", { sessionLabels: ["unverified"] }],
    [
      "a plain read from a session that is untrusted and sensitive",
      { effect: "read", sessionLabels: ["untrusted", "sensitive"] },
    ],
    ["an inward effect from a session that is only sensitive", { sessionLabels: ["sensitive"] }],
    ["an action like one on the operator's list", { mandatoryActions: ["crm.updates", "crm"] }],
    ["a plain read by an agent at approve_each", { autonomy: "approve_each", effect: "read" }],
    ["a first target of an autonomous agent", { newTargets: ["x.example"] }],
  ])("does not ask for %s", (_name, input) => expect(kindOf(input)).toBe("allow"));
});

describe("autonomy", () => {
  test.each<[Partial<ReasonInput>, string]>([
    [{ irreversible: true }, "irreversible"],
    [{ outward: true }, "outward"],
    [{ outward: true, effect: "read" }, "outward"],
    [{ newTargets: ["x.example"] }, "new_target"],
  ])("supervised asks about %j, autonomous does not", (input, code) => {
    expect(codesOf({ ...input, autonomy: "supervised" })).toEqual([code]);
    expect(kindOf({ ...input, autonomy: "autonomous" })).toBe("allow");
  });

  test("supervised lets a reversible effect on a known target run", () =>
    expect(kindOf({ autonomy: "supervised" })).toBe("allow"));

  test.each<Partial<ReasonInput>>([
    {},
    { effect: "read", outward: true },
    { effect: "read", irreversible: true },
    { effect: "read", risk: "high" },
    { effect: "read", executesCode: true },
  ])("suggest records %j as a proposal", (input) => {
    expect(judgeReasons({ ...QUIET, ...input, autonomy: "suggest" })).toMatchObject({
      kind: "deny",
      code: "recorded_as_proposal",
    });
  });

  test("suggest runs a plain read, unless the floor asks", () => {
    expect(kindOf({ autonomy: "suggest", effect: "read" })).toBe("allow");
    expect(kindOf({ autonomy: "suggest", effect: "read", mandatoryActions: ["crm.update"] })).toBe("approval");
  });

  test("a proposal taken up always asks, and is never a proposal again", () => {
    expect(kindOf({ autonomy: "suggest", isTakenUp: true, effect: "read" })).toBe("approval");
  });
});

describe("rules", () => {
  test("an approval rule carries its role, people and expiry into the reason", () => {
    const rule = ruleWith("true", { requiredRole: "admin", people: 2, expiresMinutes: 10 });
    const { reasons } = judgeReasons({ ...QUIET, ruleMatches: [matched(rule)] });
    expect(reasons).toMatchObject([
      { kind: "rule", ruleId: rule.id, requiredRole: "admin", people: 2, expiresMinutes: 10 },
    ]);
  });

  test("a denial beats an approval, a failure names its rule, and both beat a proposal", () => {
    const [ask, no, broken] = [ruleWith("true"), denyRule(), ruleWith("args.x == 1")];
    expect(judgeReasons({ ...QUIET, ruleMatches: [matched(ask), matched(no)] })).toMatchObject({
      kind: "deny",
      code: "rule_denied",
      rule: no,
    });
    expect(
      judgeReasons({ ...QUIET, autonomy: "suggest", ruleMatches: [matched(no), { rule: broken, outcome: "failed" }] }),
    ).toMatchObject({
      kind: "deny",
      code: "rule_failed",
      rule: broken,
    });
  });
});

describe("what an approval still answers", () => {
  const asked: ApprovalReason = {
    kind: "rule",
    code: "rule",
    text: 'The rule "A" asks.',
    ruleId: "rul_1",
    requiredRole: "admin",
    people: 1,
    expiresMinutes: 30,
  };

  test("the same reasons, fewer, and weaker ones", () => {
    expect(satisfies([asked], [asked])).toBe(true);
    expect(satisfies([asked], [])).toBe(true);
    expect(satisfies([asked], [{ ...asked, requiredRole: "approver" }])).toBe(true);
    expect(satisfies([{ ...asked, people: 2 }], [asked])).toBe(true);
    expect(satisfies([asked], [{ ...asked, text: "renamed", expiresMinutes: 5 }])).toBe(true);
  });

  test.each<[string, Partial<ApprovalReason>]>([
    ["another rule", { ruleId: "rul_2" }],
    ["a higher role", { requiredRole: "owner" }],
    ["more people", { people: 2 }],
    ["another code", { code: "high_risk" }],
    ["another kind", { kind: "floor" }],
  ])("not %s, even beside the old reason", (_name, change) => {
    expect(satisfies([asked], [asked, { ...asked, ...change }])).toBe(false);
    expect(unanswered([asked], [asked, { ...asked, ...change }])).toEqual([{ ...asked, ...change }]);
  });

  test("an approval for nothing answers nothing", () => expect(satisfies([], [asked])).toBe(false));
});
