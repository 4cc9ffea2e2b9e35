import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { holds, keyText, matchValue, scalarsOf } from "@/inngest/local/expression/evaluate";
import { mentionsAsync, parseCondition, parseKey } from "@/inngest/local/expression/parse";

const event = { name: "a/b", data: { id: "x", n: 3, yes: true, list: ["p", "q"], nested: { deep: "d" }, empty: null } };

const isTrue = (source: string, async: unknown = { data: { id: "x", n: 4 } }) =>
  holds(parseCondition(source), { event, async });

describe("conditions", () => {
  test.each([
    ['event.data.id == "x"', true],
    ["event.data.id == 'x'", true],
    ['"x" == event.data.id', true],
    ["event.data.id == async.data.id", true],
    ["event.data.n == async.data.n", false],
    ["event.data.n != async.data.n", true],
    ['event.data["id"] == "x"', true],
    ['event.data.list[1] == "q"', true],
    ["event.data.list[9] == null", true],
    ["event.data.yes == true", true],
    ["event.data.n == 3.0", true],
    ["event.data.n == -3", false],
    ['event.data.n == "3"', false],
    ["event.data.empty == null", true],
    ["event.data.gone == null", true],
    ["event.data.gone == async.data.gone", true],
    ["event.data.id.length == null", true],
    ["event.data.list.length == null", true],
    ["event.data.constructor == null", true],
    ["event.data.toString == null", true],
    ['event.data["__proto__"] == null', true],
    ['event.data.id == "y" || event.data.n == 3', true],
    ['event.data.id == "x" && event.data.n == 4', false],
    ['event.data.id == "x" || event.data.n == 4 && event.data.n == 5', true],
    ['(event.data.id == "x" || event.data.n == 4) && event.data.n == 5', false],
    ["event.data.id == 'it\\'s'", false],
    ['  event.data.id=="x"  ', true],
  ])("%s is %s", (source, expected) => {
    expect(isTrue(source)).toBe(expected);
  });

  test.each([
    "event.data.yes",
    "!event.data.yes",
    "event.data.n > 2",
    "event.data.n + 1 == 4",
    "event.data.list.exists(x, x == 1)",
    "size(event.data.list) == 2",
    'event.data.id.startsWith("x")',
    'event.data.id == "x" &&',
    '(event.data.id == "x"',
    'event.data.id == "x")',
    'event.data.id = "x"',
    "event == null",
    'step.data == "x"',
    'event.data.id == "x" event.data.n == 3',
    "event.data.n == 1e3",
    'event.data.id in ["x"]',
    "event.data.id == `x`",
    'event.data.id == "a\\nb"',
    `${"(".repeat(50)}event.data.n == 3${")".repeat(50)}`,
    `event.data.n == 3${" && event.data.n == 3".repeat(200)}`,
    "",
  ])("%s is refused", (source) => {
    expect(() => parseCondition(source)).toThrow("not supported by the local engine");
  });

  test("a trigger cannot look at async", () => {
    expect(() => parseCondition("async.data.id == 1", ["event"])).toThrow("only event");
  });

  test("whether a condition looks at the event that is waited for is known", () => {
    expect(mentionsAsync(parseCondition("event.data.a == 1 || async.data.b == 2"))).toBe(true);
    expect(mentionsAsync(parseCondition('event.data.a == 1 || "async.data.b" == event.data.c'))).toBe(false);
  });

  test("text can only be refused or parsed, whatever it is", () => {
    const parts = fc.constantFrom(
      "event",
      "async",
      ".data",
      ".id",
      "[0]",
      " == ",
      " != ",
      " && ",
      " || ",
      "(",
      ")",
      '"x"',
      "1",
      "!",
      "\\",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(parts).map((list) => list.join("")),
        ),
        (source) => {
          try {
            expect(typeof isTrue(source)).toBe("boolean");
          } catch (error) {
            expect(error).toMatchObject({ name: "UnsupportedExpression" });
          }
        },
      ),
    );
  });
});

describe("keys", () => {
  test("are attributes and literals, joined", () => {
    expect(keyText(parseKey('event.data.id + "-" + event.data.n + event.data.gone'), event)).toBe("x-3null");
  });

  test.each(["event.data.a == 1", "async.data.a", "event.data.a +", "event.data.a event.data.b"])(
    "%s is none",
    (source) => {
      expect(() => parseKey(source)).toThrow("not supported by the local engine");
    },
  );
});

describe("narrowing who is asked about an event", () => {
  const scalar = fc.oneof(fc.constantFrom("a", "b", null, 1, 2, true), fc.string());
  const data = fc.dictionary(fc.constantFrom("p", "q", "r"), fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })));
  const path = fc.constantFrom("p", "q", "r", "r[0]");
  const side = fc.oneof(
    path.map((name) => `event.data.${name}`),
    path.map((name) => `async.data.${name}`),
    fc.constantFrom('"a"', "1", "null", "true"),
  );
  const comparison = fc.tuple(side, fc.constantFrom(" == ", " == ", " != "), side).map((parts) => parts.join(""));
  const condition = fc.tuple(fc.array(comparison, { minLength: 1, maxLength: 3 }), fc.constantFrom(" && ", " || "));

  test("never leaves out a run that the event concerns", () => {
    fc.assert(
      fc.property(condition, data, data, ([terms, joint], own, other) => {
        const parsed = parseCondition(terms.join(joint));
        const [trigger, async] = [
          { name: "t", data: own },
          { name: "a", data: other },
        ];
        const required = matchValue(parsed, trigger);
        if (!holds(parsed, { event: trigger, async }) || required === undefined) return;
        expect(scalarsOf(async)).toContain(required);
      }),
      { numRuns: 2_000 },
    );
  });

  test("names the value of a match", () => {
    expect(matchValue(parseCondition("event.data.id == async.data.id"), event)).toBe('"x"');
    expect(matchValue(parseCondition('async.data.kind == "k" && event.data.n == async.data.n'), event)).toBe('"k"');
    expect(matchValue(parseCondition("event.data.id == async.data.id || async.data.n == 1"), event)).toBeUndefined();
  });

  test("gives up on values too long to index and events too wide to list", () => {
    const long = { data: { id: "x".repeat(300) } };
    expect(matchValue(parseCondition("event.data.id == async.data.id"), long)).toBeUndefined();
    expect(scalarsOf({ data: Array.from({ length: 500 }, (_, index) => index) })).toBeUndefined();
  });
});
