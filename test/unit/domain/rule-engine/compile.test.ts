import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRule, type RuleProblem } from "@/server/domain/rule-engine/compile";
import { RULE_FUNCTIONS, RULE_METHODS, RULE_OBJECTS, RULE_VARIABLES } from "@/server/domain/rule-engine/environment";

function problemOf(text: string): RuleProblem {
  const result = compileRule(text);
  if (result.ok) throw new Error(`was accepted: ${text}`);
  return result.problem;
}

describe("conditions that are accepted", () => {
  test.each([
    'action == "email.send"',
    'action.startsWith("email.") && amount > 500',
    "amount == 500 || amountMicros >= 500000000",
    'recipients.exists(r, !r.endsWith("@corp.example"))',
    "size(newTargets) > 0",
    'risk == "high" || risk in ["medium"]',
    '"unverified" in session.labels',
    'agent.department == "dep_1" && connection.provider == "smtp"',
    "time.weekday in [0, 6] || time.hour < 8 || time.minuteOfDay > 18 * 60 + 30",
    "has(args.subject) && args.subject.contains('invoice')",
    'args.headers["x-team"] == "ops"',
    "args.priority > 3",
    "recipients.all(r, hosts.exists(h, r.endsWith(h)))",
    "outward && !irreversible",
    "args.to.filter(t, t.endsWith('.example')).size() > 3",
  ])("%s", (text) => expect(compileRule(text)).toMatchObject({ ok: true }));
});

describe("conditions that are refused, with place and suggestion", () => {
  test.each([
    ['acton == "x"', "unknown_variable", 1, 1, "action"],
    ["amount > 1.0 &&\n  recipient.exists(r, true)", "unknown_variable", 2, 3, "recipients"],
    ['agent.nmae == "x"', "no_such_key", 1, 7, "name"],
    ['action.startWith("x")', "unknown_function", 1, 8, "startsWith"],
    ["recipients.exist(r, true)", "unknown_function", 1, 12, "exists"],
    ["sise(recipients) > 1", "unknown_function", 1, 1, "size"],
    ["amount + 1 > 2", "no_such_overload", 1, 1, null],
    ['amount > "5"', "no_such_overload", 1, 1, null],
    ["amount >", "unexpected_token", 1, 9, null],
    ['action == "x', "unterminated_string", 1, 11, null],
    ["amount", "not_bool", 1, 1, null],
    ["args.urgent", "not_bool", 1, 1, null],
    ["recipients", "not_bool", 1, 1, null],
    ["", "unexpected_token", 1, 1, null],
  ])("%j is %s at %d:%d", (text, code, line, column, suggestion) => {
    expect(problemOf(text)).toMatchObject({ code, line, column, suggestion });
  });

  test.each([
    'action.matches("(a+)+$")',
    "cel.bind(x, action + action, x == action)",
    'action.split(",").size() > 1',
    'timestamp("2026-01-01T00:00:00Z").getHours("Asia/Tokyo") > 3',
    "type(action) == string",
    "google == google",
    "dyn(amount) == 1",
    'bytes("a") == b"a"',
    'recipients.join(",") == ""',
  ])("what is slow, ambient or grows its input is not there: %s", (text) => {
    expect(["unknown_function", "unknown_variable"]).toContain(problemOf(text).code);
  });

  test("loops stand two deep at most, wherever they stand", () => {
    const two = "recipients.all(a, hosts.exists(b, a == b))";
    expect(compileRule(two).ok).toBe(true);
    expect(compileRule(`recipients.filter(a, a != "").all(a, hosts.exists(b, a == b))`).ok).toBe(true);
    expect(problemOf(`categories.all(c, ${two})`).code).toBe("loops_too_deep");
    expect(
      problemOf(`categories.all(c, size(recipients.filter(a, hosts.filter(b, b == a).size() > 0)) > 0)`).code,
    ).toBe("loops_too_deep");
  });

  test("length, depth and the number of terms are bounded", () => {
    expect(problemOf(`action == "${"x".repeat(2_000)}"`).code).toBe("too_long");
    expect(compileRule(`${"(".repeat(300)}true${")".repeat(300)}`).ok).toBe(false);
    expect(compileRule(`${"!".repeat(600)}true`).ok).toBe(false);
    expect(compileRule(`${"1+".repeat(600)}1 > 0`).ok).toBe(false);
  });

  test("any text is answered, never thrown at", () => {
    const odd = fc.constantFrom(
      ..."aZ0 \n\t\"'\\.()[]{}&|!=<>+-*/%?:,_@#`~",
      "\u0000",
      "\u00e9",
      "\u2028",
      "\ud83d\ude00",
      "\ud800",
    );
    const words = fc.constantFrom(
      ...Object.keys(RULE_VARIABLES),
      ...Object.keys(RULE_OBJECTS),
      ...RULE_FUNCTIONS,
      ...RULE_METHODS,
      ...[
        "(",
        ")",
        ".",
        ",",
        "[",
        "]",
        "&&",
        "||",
        "!",
        "==",
        "<",
        "in",
        "+",
        "-",
        "?",
        ":",
        '"a"',
        "1",
        "2.0",
        "{",
        "}",
        "x",
        "\n",
        "__proto__",
      ],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: odd, maxLength: 60 }),
          fc.array(words, { maxLength: 15 }).map((all) => all.join(" ")),
        ),
        (text) => {
          const result = compileRule(text);
          if (!result.ok) expect(result.problem.line * result.problem.column).toBeGreaterThan(0);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test("the answer for a text is remembered", () => {
  const text = 'action == "remembered"';
  expect(compileRule(text)).toBe(compileRule(text));
});

test("what is remembered is bounded", () => {
  const first = compileRule("amount > 0.5");
  for (let i = 0; i < 2_000; i++) compileRule(`amount > ${i}.25`);
  expect(compileRule("amount > 0.5")).not.toBe(first);
});
