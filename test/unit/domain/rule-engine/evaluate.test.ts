import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/server/domain/json";
import type { RuleFacts } from "@/server/domain/rule";
import { evaluateRules } from "@/server/domain/rule-engine/evaluate";
import { cpuMs } from "@/test/support/cpu-time";
import { factsWith, ruleWith } from "@/test/support/rule-facts";

const outcomeOf = (condition: string, changes: Partial<RuleFacts> = {}) =>
  evaluateRules([ruleWith(condition)], factsWith(changes))[0]?.outcome ?? "silent";

describe("each name in a condition means what is documented", () => {
  test.each([
    'action == "email.send" && tool == "email"',
    'effect == "write" && risk == "medium"',
    "!outward && irreversible",
    'amount == 12.5 && amount > 12 && amountMicros == 12500000 && currency == "EUR"',
    'recipients == ["ann@corp.example"] && size(hosts) == 0 && size(categories) == 0 && size(newTargets) == 0',
    'agent.id == "agt_1" && agent.name == "Mailer" && agent.autonomy == "supervised" && agent.department == "dep_1"',
    'connection.id == "con_1" && connection.name == "mail" && connection.provider == "smtp"',
    'session.labels == ["unverified"] && session.origin == "external"',
    "time.hour == 9 && time.weekday == 1 && time.minuteOfDay == 545",
    'args.subject == "Hello" && args.priority == 2 && args.urgent == true && args.to[0] == "ann@corp.example"',
    'args.headers["x-team"].startsWith("o") && !has(args.body)',
  ])("%s", (condition) => expect(outcomeOf(condition)).toBe("matched"));
});

test("a rule whose condition is false is silent", () => expect(outcomeOf("amount > 1000")).toBe("silent"));

describe("a rule that cannot be answered denies instead of being passed over", () => {
  test.each([
    ["a missing argument", "args.body == 'x'"],
    ["an argument of another type", "args.subject > 3"],
    ["an inherited property", "args.toString == 'x'"],
    ["the prototype", "args.__proto__ == 'x'"],
    ["an index out of range", "recipients[3] == 'x'"],
    ["a division by zero", "1 / size(hosts) == 1"],
    ["an overflow", "amountMicros * 9223372036854775807 > 1"],
    ["a condition that does not compile", "acton == 'x'"],
    ["a condition that is not true or false", "amount"],
  ])("%s", (_name, condition) => expect(outcomeOf(condition)).toBe("failed"));

  test("has() and the order of && avoid it", () => {
    expect(outcomeOf("has(args.body) && args.body == 'x'")).toBe("silent");
    expect(outcomeOf("action == 'http.request' && args.body == 'x'")).toBe("silent");
  });
});

test("every rule that applies is reported, in order, whatever the others do", () => {
  const rules = [ruleWith("true"), ruleWith("args.no == 1"), ruleWith("false"), ruleWith("risk == 'medium'")];
  const matches = evaluateRules(rules, factsWith());
  expect(matches.map(({ rule, outcome }) => [rule.id, outcome])).toEqual([
    [rules[0]?.id, "matched"],
    [rules[1]?.id, "failed"],
    [rules[3]?.id, "matched"],
  ]);
});

describe("cost", () => {
  const big = "a".repeat(500_000);
  const many = Array.from({ length: 60_000 }, (_, i) => `t${i}`);
  test.each<[string, string, JsonObject]>([
    [
      "a search for one argument in another",
      "args.text.contains(args.part)",
      { text: big, part: `${"a".repeat(25_000)}b${"a".repeat(25_000)}` },
    ],
    ["a loop in a loop over a long list", "args.list.all(a, args.list.exists(b, a == b))", { list: many }],
    ["a search in a loop over a long list", "args.list.all(t, args.text.contains(t))", { list: many, text: big }],
    [
      "growing lists",
      "(args.list + args.list + args.list + args.list).all(a, (args.list + args.list).exists(b, a == b))",
      { list: many.slice(0, 500) },
    ],
  ])("%s denies at once instead of running", async (_name, condition, args) => {
    const spent = await cpuMs(() => expect(outcomeOf(condition, { arguments: args })).toBe("failed"));
    expect(spent).toBeLessThan(1_000);
  });

  test("rules that do not look at the arguments are not refused for their size", () => {
    const huge = { text: "a".repeat(900_000), list: many };
    expect(outcomeOf('recipients.exists(r, r.endsWith("@corp.example"))', { arguments: huge })).toBe("matched");
    expect(outcomeOf("args.text.startsWith('a')", { arguments: huge })).toBe("matched");
    expect(outcomeOf("args.text.contains('invoice')", { arguments: { text: "a".repeat(250_000) } })).toBe("silent");
  });

  test("a full set over the largest mail is answered within a second", async () => {
    const rules = Array.from({ length: 200 }, (_, i) =>
      ruleWith(`args.text.contains('word${i}') || recipients.exists(r, r.endsWith('@x${i}.example'))`),
    );
    const recipients = Array.from({ length: 50 }, (_, i) => `person${i}@corp.example`);
    const facts = factsWith({ recipients, arguments: { text: "a ".repeat(120_000) } });
    expect(await cpuMs(() => evaluateRules(rules, facts))).toBeLessThan(1_000);
  });

  test("rules that cost much and then fail use up the set's allowance like any other", async () => {
    const list = Array.from({ length: 1_500 }, (_, i) => `t${i}`);
    const rules = Array.from({ length: 200 }, (_, i) => ruleWith(`args.list.all(a, a != 'x${i}') && args.no == 1`));
    const facts = factsWith({ arguments: { list } });
    const spent = await cpuMs(() => expect(evaluateRules(rules, facts)).toHaveLength(200));
    expect(spent).toBeLessThan(1_000);
  });

  test("twenty ordinary rules take well under a millisecond", async () => {
    const rules = Array.from({ length: 20 }, (_, i) =>
      ruleWith(`amount > ${i + 100}.0 && recipients.exists(r, !r.endsWith("@corp.example"))`),
    );
    const facts = factsWith();
    const evaluate = (times: number) => {
      for (let i = 0; i < times; i++) evaluateRules(rules, facts);
    };
    evaluate(200);
    expect((await cpuMs(() => evaluate(200))) / 200).toBeLessThan(1);
  });
});

test("whatever the arguments hold, evaluation answers and leaves them alone", () => {
  const conditions = [
    "args.a > 1",
    "args.a == 'x'",
    "args.a.b.c == args.a",
    "args.a.exists(x, x == 1)",
    "size(args.a) > 1",
    "'x' in args.a",
    "args.a[0] == 1",
    "has(args.a.b)",
    "args == args",
    "args.a in [1, 2]",
    "string(args.a) == 'x'",
    "int(args.a) > 1",
  ].map((condition) => ruleWith(condition));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue()), (args) => {
      const before = JSON.stringify(args);
      const matches = evaluateRules(conditions, factsWith({ arguments: args as JsonObject }));
      expect(matches.length).toBeLessThanOrEqual(conditions.length);
      expect(JSON.stringify(args)).toBe(before);
    }),
    { numRuns: 300 },
  );
});
