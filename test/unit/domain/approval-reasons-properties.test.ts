import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RISKS } from "@/server/domain/action";
import {
  type ApprovalReason,
  approvalReasonsSchema,
  floorReasons,
  judgeReasons,
  mergeRequirements,
  type ReasonInput,
  type ReasonVerdict,
  satisfies,
  unanswered,
} from "@/server/domain/approval-reasons";
import { AUTONOMY, SESSION_LABELS } from "@/server/domain/facts";
import { APPROVER_ROLES, satisfiesRole } from "@/server/domain/roles";
import type { Rule } from "@/server/domain/rule";
import { ruleWith } from "@/test/support/rule-facts";

const denyRule = (): Rule => ({ id: ruleWith("true").id, name: "No", condition: "true", verdict: "deny" });
const roles = fc.constantFrom(...APPROVER_ROLES);
const people = fc.constantFrom(1 as const, 2 as const);
const rules: fc.Arbitrary<Rule> = fc.oneof(
  fc.constant(null).map(denyRule),
  fc
    .record({ requiredRole: roles, people, expiresMinutes: fc.integer({ min: 1, max: 90 }) }, { requiredKeys: [] })
    .map((more) => ruleWith("true", more)),
);
const matches = fc.array(fc.record({ rule: rules, outcome: fc.constantFrom("matched" as const, "failed" as const) }), {
  maxLength: 4,
});
const inputs: fc.Arbitrary<ReasonInput> = fc.record({
  action: fc.constantFrom("crm.update", "email.send"),
  effect: fc.constantFrom("read" as const, "write" as const),
  risk: fc.constantFrom(...RISKS),
  irreversible: fc.boolean(),
  outward: fc.boolean(),
  executesCode: fc.boolean(),
  autonomy: fc.constantFrom(...AUTONOMY),
  isTakenUp: fc.boolean(),
  sessionLabels: fc.uniqueArray(fc.constantFrom(...SESSION_LABELS)),
  newTargets: fc.array(fc.constant("x.example"), { maxLength: 1 }),
  mandatoryActions: fc.subarray(["email.send"]),
  ruleMatches: matches,
});
const STRICTNESS = { allow: 0, approval: 1, deny: 2 };
const strictness = (verdict: ReasonVerdict) => STRICTNESS[verdict.kind];

describe("whatever the input", () => {
  const holds = (property: (input: ReasonInput, more: ReasonInput) => void) =>
    fc.assert(fc.property(inputs, inputs, property), { numRuns: 2_000 });

  test("more rules, labels, risk or exposure never weaken the verdict nor drop a reason", () => {
    holds((input, more) => {
      const before = judgeReasons(input);
      const after = judgeReasons({
        ...input,
        risk: RISKS[Math.max(RISKS.indexOf(input.risk), RISKS.indexOf(more.risk))] ?? "high",
        irreversible: input.irreversible || more.irreversible,
        outward: input.outward || more.outward,
        executesCode: input.executesCode || more.executesCode,
        sessionLabels: [...input.sessionLabels, ...more.sessionLabels],
        newTargets: [...input.newTargets, ...more.newTargets],
        mandatoryActions: [...input.mandatoryActions, ...more.mandatoryActions],
        ruleMatches: [...input.ruleMatches, ...more.ruleMatches],
      });
      expect(strictness(after)).toBeGreaterThanOrEqual(strictness(before));
      expect(unanswered(after.reasons, before.reasons)).toEqual([]);
    });
  });

  test("a level of less autonomy is never weaker, short of what a person took up", () => {
    holds((input) => {
      const [suggest, each, supervised, autonomous] = AUTONOMY.map((autonomy) =>
        strictness(judgeReasons({ ...input, autonomy, isTakenUp: false })),
      ) as [number, number, number, number];
      expect(supervised).toBeGreaterThanOrEqual(autonomous);
      expect(each).toBeGreaterThanOrEqual(supervised);
      expect(suggest).toBeGreaterThanOrEqual(each);
    });
  });

  test("no rule set removes a reason of the floor or lets what it asks about run", () => {
    holds((input, { ruleMatches }) => {
      const floor = floorReasons(input);
      const verdict = judgeReasons({ ...input, ruleMatches });
      expect(unanswered(verdict.reasons, floor)).toEqual([]);
      if (floor.length > 0) expect(verdict.kind).not.toBe("allow");
    });
  });

  test("nothing an organization sets changes the floor but the two levels that only add to it", () => {
    holds((input, other) => {
      const level = (autonomy: ReasonInput["autonomy"]) =>
        floorReasons({ ...input, autonomy, ruleMatches: other.ruleMatches, newTargets: [] });
      expect(level("supervised")).toEqual(level("autonomous"));
      for (const autonomy of AUTONOMY) expect(unanswered(level(autonomy), level("autonomous"))).toEqual([]);
    });
  });

  test("it allows exactly when there is no reason and no denial", () => {
    holds((input) => {
      const verdict = judgeReasons(input);
      if (verdict.kind === "allow") expect(verdict.reasons).toEqual([]);
      if (verdict.kind === "approval") expect(approvalReasonsSchema.safeParse(verdict.reasons).success).toBe(true);
      if (input.ruleMatches.some(({ rule, outcome }) => outcome === "failed" || rule.verdict === "deny"))
        expect(verdict.kind).toBe("deny");
    });
  });
});

const reasonLists = fc.array(
  fc.record<ApprovalReason>({
    kind: fc.constantFrom("floor" as const, "rule" as const),
    code: fc.constantFrom("high_risk", "rule"),
    text: fc.constant("x"),
    ruleId: fc.constantFrom(null, "rul_1", "rul_2"),
    requiredRole: roles,
    people,
    // Zero is never.
    expiresMinutes: fc.option(fc.integer({ min: 0, max: 60 })),
  }),
  { maxLength: 4 },
);

describe("what an answer takes", () => {
  test("the merged requirement meets every single one and is asked by some", () => {
    fc.assert(
      fc.property(reasonLists, (reasons) => {
        const merged = mergeRequirements(reasons);
        for (const reason of reasons) {
          expect(satisfiesRole(merged.role, reason.requiredRole)).toBe(true);
          expect(merged.people).toBeGreaterThanOrEqual(reason.people);
          if (reason.expiresMinutes === null) continue;
          expect(merged.expiresMinutes).not.toBeNull();
          if (reason.expiresMinutes === 0) continue;
          expect(merged.expiresMinutes).toBeGreaterThan(0);
          expect(merged.expiresMinutes).toBeLessThanOrEqual(reason.expiresMinutes);
        }
        expect(["approver", ...reasons.map((reason) => reason.requiredRole)]).toContain(merged.role);
        expect([1, ...reasons.map((reason) => reason.people)]).toContain(merged.people);
        expect([null, ...reasons.map((reason) => reason.expiresMinutes)]).toContain(merged.expiresMinutes);
      }),
    );
  });

  test("no reasons ask for one approver", () => {
    expect(mergeRequirements([])).toEqual({ role: "approver", people: 1, expiresMinutes: null });
  });

  test("whatever is answered, its merged requirement was met by what was approved", () => {
    fc.assert(
      fc.property(reasonLists, reasonLists, (approved, now) => {
        expect(satisfies(approved, approved)).toBe(true);
        fc.pre(satisfies(approved, now));
        const [given, needed] = [mergeRequirements(approved), mergeRequirements(now)];
        expect(satisfiesRole(given.role, needed.role)).toBe(true);
        expect(given.people).toBeGreaterThanOrEqual(needed.people);
      }),
      { numRuns: 500 },
    );
  });
});
