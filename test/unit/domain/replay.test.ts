import { describe, expect, it } from "vitest";
import { type ApprovalReason, type ReasonInput, returnReason } from "@/server/domain/approval-reasons";
import { isChanged, type Past, pastVerdict, replay } from "@/server/domain/replay";
import type { RuleMatch } from "@/server/domain/rule";
import { ruleWith } from "@/test/support/rule-facts";

const floor: ApprovalReason = { ...returnReason("changed"), kind: "floor", code: "high_risk" };
const byRule: ApprovalReason = { ...floor, kind: "rule", code: "rule", ruleId: "rul_1", people: 2 };
const input: Omit<ReasonInput, "ruleMatches"> = {
  ...{ action: "a.b", effect: "write", risk: "low", irreversible: false, outward: false, executesCode: false },
  autonomy: "autonomous",
  isTakenUp: false,
  sessionLabels: [],
  newTargets: [],
  mandatoryActions: [],
};
const passed = (...asked: ApprovalReason[]): Past => ({ kind: "passed", asked });
const forbidden = (changes: Partial<ReasonInput> = {}): Past => ({
  kind: "forbidden",
  input: { ...input, ...changes },
});
const asks: RuleMatch = { rule: ruleWith("true"), outcome: "matched" };
const denies: RuleMatch = { rule: { ...ruleWith("true"), verdict: "deny" } as never, outcome: "matched" };
const fails: RuleMatch = { rule: ruleWith("true"), outcome: "failed" };

describe("what a past request would have got", () => {
  it.each([
    ["what ran by itself runs without rules", passed(), [], "allow", "allow"],
    ["what ran by itself asks where a rule asks", passed(), [asks], "allow", "approval"],
    ["what ran by itself is denied where a rule denies, whatever else asks", passed(), [asks, denies], "allow", "deny"],
    ["a rule that fails denies", passed(floor), [fails], "approval", "deny"],
    ["the floor asks without any rule", passed(floor, byRule), [], "approval", "approval"],
    ["what only a rule asked for runs without it", passed(byRule), [], "approval", "allow"],
    ["what a rule forbade runs without it", forbidden(), [], "deny", "allow"],
    ["what a rule forbade asks where the floor does", forbidden({ risk: "high" }), [], "deny", "approval"],
    [
      "what a rule forbade stays a proposal of who may only suggest",
      forbidden({ autonomy: "suggest" }),
      [],
      "deny",
      "deny",
    ],
    ["what another check refused stays refused", { kind: "refused" } as const, [], "deny", "deny"],
  ])("%s", (_name, past, matches, was, would) => {
    expect([pastVerdict(past).verdict, replay(past, matches).verdict]).toEqual([was, would]);
  });

  it("is a change where other people would be asked, and none where the same would", () => {
    expect(isChanged(pastVerdict(passed(floor, byRule)), replay(passed(floor, byRule), []))).toBe(true);
    expect(isChanged(pastVerdict(passed(floor)), replay(passed(floor), [asks]))).toBe(false);
  });
});
