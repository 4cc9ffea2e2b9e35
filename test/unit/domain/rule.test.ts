import { describe, expect, test } from "vitest";
import { ruleInputSchema, ruleSetSchema } from "@/server/domain/rule";

const approval = { name: "Large payments", verdict: "approval", condition: "amount > 500.0" };

describe("a rule as written", () => {
  test("may leave out who approves and until when", () => {
    expect(ruleInputSchema.safeParse(approval).success).toBe(true);
    expect(
      ruleInputSchema.safeParse({ ...approval, requiredRole: "admin", people: 2, expiresMinutes: 60 }).success,
    ).toBe(true);
  });

  test.each([
    { ...approval, people: 3 },
    { ...approval, people: 0 },
    { ...approval, requiredRole: "member" },
    { ...approval, expiresMinutes: -1 },
    { ...approval, verdict: "allow" },
    { ...approval, name: "two\nlines" },
    { ...approval, condition: "" },
    { ...approval, condition: `amount > ${"1".repeat(2_000)}.0` },
    { ...approval, extra: 1 },
    { name: "No payments", verdict: "deny", condition: "true", people: 2 },
  ])("refuses %j", (rule) => expect(ruleInputSchema.safeParse(rule).success).toBe(false));

  test("a set holds at most 200 rules, each with an id", () => {
    const stored = { ...approval, id: `rul_${"0".repeat(26)}` };
    expect(ruleSetSchema.safeParse([stored]).success).toBe(true);
    expect(ruleSetSchema.safeParse([approval]).success).toBe(false);
    expect(ruleSetSchema.safeParse(Array(201).fill(stored)).success).toBe(false);
  });
});
