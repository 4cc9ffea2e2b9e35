import { describe, expect, it, test } from "vitest";
import { judgeReasons, type ReasonInput, ruleReasons } from "@/server/domain/approval-reasons";
import type { Rule } from "@/server/domain/rule";
import { evaluateRules } from "@/server/domain/rule-engine/evaluate";
import { factsWith, ruleWith } from "@/test/support/rule-facts";

const facts = factsWith({ amountMicros: 0n, currency: "", amountDoubt: "format" });
const outcomes = (condition: string) => evaluateRules([ruleWith(condition)], facts).map(({ outcome }) => outcome);

describe("where an amount cannot be read for certain", () => {
  test.each([
    ["amount > 500.0", "unclear"],
    ["amountMicros < 5", "unclear"],
    ['currency == "EUR"', "unclear"],
    ['action == "email.send" && amount > 500.0', "unclear"],
    ["recipients.exists(r, amount > 500.0)", "unclear"],
    ["amount > 500.0 && args.missing == 1.0", "unclear"],
  ])("%s asks", (condition, outcome) => expect(outcomes(condition)).toEqual([outcome]));

  test.each([
    ["size(recipients) > 0", ["matched"]],
    ["size(recipients) > 9", []],
    // The amount is not looked at where it cannot matter.
    ['action == "http.request" && amount > 500.0', []],
    ['action == "email.send" || amount > 500.0', ["matched"]],
    ["args.missing == 1.0", ["failed"]],
    ["args.missing == 1.0 || amount > 500.0", ["failed"]],
  ])("%s answers as ever", (condition, expected) => expect(outcomes(condition)).toEqual(expected));

  it("a denial becomes a question for an admin, and asks as many people as a rule does", () => {
    const { id, name, condition } = ruleWith("amount > 500.0");
    const denial: Rule = { id, name, condition, verdict: "deny" };
    const two = ruleWith("amount > 500.0", { requiredRole: "owner", people: 2, expiresMinutes: 5 });
    const matches = evaluateRules([denial, two], facts);
    expect(ruleReasons(matches)).toMatchObject([
      { code: "amount_unclear", ruleId: id, requiredRole: "admin", people: 1 },
      { code: "amount_unclear", ruleId: two.id, requiredRole: "owner", people: 2, expiresMinutes: 5 },
    ]);
    const quiet: Omit<ReasonInput, "ruleMatches"> = {
      action: "a.b",
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
    };
    expect(judgeReasons({ ...quiet, ruleMatches: matches })).toMatchObject({ kind: "approval" });
  });

  it("one rule's look at the amount says nothing about the next rule", () => {
    const matches = evaluateRules([ruleWith("amount > 1.0"), ruleWith("size(recipients) == 1")], facts);
    expect(matches.map(({ outcome }) => outcome)).toEqual(["unclear", "matched"]);
  });
});
