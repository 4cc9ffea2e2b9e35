import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { CATEGORIES, type Category } from "@/server/domain/categories";
import { SESSION_LABELS } from "@/server/domain/facts";
import type { RuleFacts } from "@/server/domain/rule";
import { compileRule } from "@/server/domain/rule-engine/compile";
import { evaluateRules } from "@/server/domain/rule-engine/evaluate";
import { conditionOf, partsOf, type RulePart, TARGET_KINDS } from "@/server/domain/rule-forms";
import { factsWith, ruleWith } from "@/test/support/rule-facts";

const word = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/);
const action = fc.array(word, { minLength: 2, maxLength: 4 }).map((words) => words.join("."));
const some = <T>(item: fc.Arbitrary<T>) => fc.uniqueArray(item, { minLength: 1, maxLength: 8 });
const oneOf = <T extends string>(words: readonly T[]) => fc.constantFrom(...words);
const limit = fc
  .tuple(fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([units, micros]) => `${units}.${String(micros).padStart(6, "0")}`.replace(/\.?0+$/, "") || "0");
const hours = fc.tuple(fc.nat(1_439), fc.nat(1_439)).filter(([a, b]) => a !== b);

const part: fc.Arbitrary<RulePart> = fc.oneof(
  some(action).map((actions): RulePart => ({ kind: "actions", actions })),
  fc
    .tuple(
      fc.uniqueArray(fc.record({ currency: fc.stringMatching(/^[A-Z]{3}$/), above: limit }), {
        minLength: 1,
        maxLength: 5,
        selector: ({ currency }) => currency,
      }),
      fc.boolean(),
    )
    .map(([limits, others]): RulePart => ({ kind: "amount", limits, others })),
  fc
    .tuple(oneOf(["agent", "organization"] as const), oneOf(Object.keys(TARGET_KINDS) as (keyof typeof TARGET_KINDS)[]))
    .map(([to, of]): RulePart => ({ kind: "newTargets", to, of })),
  some(oneOf(Object.keys(CATEGORIES) as Category[])).map(
    (categories): RulePart => ({ kind: "categories", categories }),
  ),
  some(oneOf(SESSION_LABELS)).map((labels): RulePart => ({ kind: "labels", labels })),
  fc
    .tuple(some(fc.nat(6)), hours, oneOf(["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "Etc/GMT+5"]))
    .map(([weekdays, [a, b], zone]): RulePart => {
      return { kind: "outsideHours", zone, weekdays, from: Math.min(a, b), until: Math.max(a, b) };
    }),
);

describe("a form and the CEL it writes", () => {
  it("are the same both ways, whatever the parts, and the CEL passes the type check", () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const condition = conditionOf(parts);
        expect(partsOf(condition)).toEqual(parts);
        if (condition.length <= 2_000) expect(compileRule(condition)).toMatchObject({ ok: true });
      }),
      { numRuns: 500 },
    );
  });

  it("never mistake another text for a form's: one character more, less or other is CEL by hand, or another form", () => {
    fc.assert(
      fc.property(part, fc.nat(), fc.constantFrom("", " ", '"', "1", "x", "!", ")"), (one, place, put) => {
        const text = conditionOf([one]);
        const at = place % text.length;
        const edited = text.slice(0, at) + put + text.slice(at + 1);
        const read = partsOf(edited);
        if (read !== null) expect(conditionOf(read)).toBe(edited.trim());
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    'action == "email.send"',
    "(amount > 5.0) && (amount > 6.0)",
    'action in ["email.send"] || true',
    'action in ["a.b", "a.b"]',
    'currency == "EUR" && amount > 500.00',
    "",
    "size(newTargets) > 1",
    'size(newTargets) > 0 && (action in ["a.b"])',
  ])("by hand: %s", (text) => expect(partsOf(text)).toBeNull());

  it("refuse what cannot be written safely", () => {
    expect(() => conditionOf([{ kind: "actions", actions: ['a.b"] || true || action in ["'] }])).toThrow();
    expect(() =>
      conditionOf([{ kind: "amount", limits: [{ currency: "EUR", above: "1 || true" }], others: false }]),
    ).toThrow();
    expect(() => conditionOf([])).toThrow();
  });
});

describe("what a form asks", () => {
  const applies = (one: RulePart, facts: Partial<RuleFacts>) =>
    evaluateRules([ruleWith(conditionOf([one]))], factsWith(facts)).map(({ outcome }) => outcome);

  test.each<[string, RulePart, Partial<RuleFacts>, boolean]>([
    ["above the limit", amount("500"), { amountMicros: 500_000_001n }, true],
    ["at the limit", amount("500"), { amountMicros: 500_000_000n }, false],
    ["another currency counts", amount("500"), { amountMicros: 1n, currency: "USD" }, true],
    ["another currency does not count", amount("500", false), { amountMicros: 900_000_000n, currency: "USD" }, false],
    ["nothing paid", amount("0"), { amountMicros: 0n, currency: "" }, false],
    ["a listed action", { kind: "actions", actions: ["email.send"] }, {}, true],
    ["another action", { kind: "actions", actions: ["http.request"] }, {}, false],
    ["new to the agent", fresh("agent", "any"), { newTargets: ["a.example"] }, true],
    ["an address among hosts", fresh("agent", "address"), { newTargets: ["a.example"] }, false],
    ["a new address", fresh("agent", "address"), { newTargets: ["a@b.example"] }, true],
    ["a new host", fresh("organization", "host"), { newToOrganization: ["a.example:8443"] }, true],
    ["a new repository", fresh("organization", "repository"), { newToOrganization: ["repository/o/n"] }, true],
    ["a repository is no host", fresh("organization", "host"), { newToOrganization: ["repository/o/n"] }, false],
    ["a new channel", fresh("agent", "channel"), { newTargets: ["channel/C1"] }, true],
    ["new to the agent, not the organization", fresh("organization", "any"), { newTargets: ["a.example"] }, false],
    ["a category", { kind: "categories", categories: ["deletion", "message"] }, { categories: ["message"] }, true],
    ["no category", { kind: "categories", categories: ["deletion"] }, { categories: ["message"] }, false],
    ["a label", { kind: "labels", labels: ["untrusted"] }, { session: { labels: ["untrusted"], origin: "" } }, true],
    ["no label", { kind: "labels", labels: ["untrusted"] }, { session: { labels: [], origin: "" } }, false],
    // 30 November 2026 is a Monday; Berlin is at UTC+1 then, and at UTC+2 in July.
    ["before work begins", office(), { at: new Date("2026-11-30T07:59:00Z") }, true],
    ["when work begins", office(), { at: new Date("2026-11-30T08:00:00Z") }, false],
    ["when work ends", office(), { at: new Date("2026-11-30T16:00:00Z") }, true],
    ["in summer time", office(), { at: new Date("2026-07-06T07:00:00Z") }, false],
    ["on Sunday", office(), { at: new Date("2026-11-29T10:00:00Z") }, true],
    ["at midnight between days", office(), { at: new Date("2026-11-29T23:00:00Z") }, true],
  ])("%s", (_what, one, facts, expected) => expect(applies(one, facts)).toEqual(expected ? ["matched"] : []));
});

function amount(above: string, others = true): RulePart {
  return { kind: "amount", limits: [{ currency: "EUR", above }], others };
}

function fresh(to: "agent" | "organization", of: keyof typeof TARGET_KINDS): RulePart {
  return { kind: "newTargets", to, of };
}

function office(): RulePart {
  return { kind: "outsideHours", zone: "Europe/Berlin", weekdays: [1, 2, 3, 4, 5], from: 540, until: 1_020 };
}

describe("a time zone in a condition", () => {
  test.each(['minuteIn(now, "Mars/Olympus") > 5', "minuteIn(now, action) > 5", 'weekdayIn(now, "") == 1'])(
    "%s",
    (text) => expect(compileRule(text)).toMatchObject({ ok: false, problem: { code: "unknown_time_zone", line: 1 } }),
  );
});
