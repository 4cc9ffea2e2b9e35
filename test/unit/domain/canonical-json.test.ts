import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalBytes, canonicalJson } from "@/server/domain/canonical-json";
import type { JsonValue } from "@/server/domain/json";

const anyJson = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<JsonValue>;

function shuffled(value: JsonValue): JsonValue {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(shuffled);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
}

describe("canonicalJson", () => {
  test("the order in which keys were written makes no difference", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test("writing, reading and writing again changes nothing, and the value survives", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("two texts are equal only for equal values", () => {
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        const same = canonicalJson(a) === canonicalJson(b);
        // JSON has no negative zero, so both zeros count as one value.
        expect(same).toBe(isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))));
      }),
    );
  });

  test("keys sort by UTF-16 code units as RFC 8785 section 3.2.3 shows", () => {
    const value = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\u{1f600}": 5, "\u0080": 6, "\u00f6": 7 };
    expect(canonicalJson(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}');
  });

  test.each([
    [Number("333333333.33333329"), "333333333.3333333"],
    [1e30, "1e+30"],
    [4.5, "4.5"],
    [2e-3, "0.002"],
    [1e-27, "1e-27"],
    [-0, "0"],
    [1e21, "1e+21"],
    [100000000000000000000, "100000000000000000000"],
  ])("the number %d is written %s", (value, text) => expect(canonicalJson(value)).toBe(text));

  test("bytes are the UTF-8 of the text", () => {
    expect(Buffer.from(canonicalBytes({ a: "\u00e9" })).toString("hex")).toBe(
      Buffer.from('{"a":"é"}', "utf8").toString("hex"),
    );
  });

  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const holed: unknown[] = [];
  holed[2] = 1;
  test.each([
    ["undefined", undefined],
    ["undefined in an object", { a: undefined }],
    ["undefined in a list", [undefined]],
    ["a hole in a list", holed],
    ["NaN", [Number.NaN]],
    ["infinity", { a: Number.POSITIVE_INFINITY }],
    ["a bigint", 1n],
    ["a symbol", Symbol("a")],
    ["a function", { toJSON: () => 1 }],
    ["a date", { at: new Date(0) }],
    ["a map", new Map()],
    ["bytes", Buffer.from("a")],
    ["a lone surrogate", "\ud800"],
    ["a lone surrogate in a key", { "\udc00": 1 }],
    ["a cycle", cycle],
  ])("%s has no canonical form", (_name, value) => {
    expect(() => canonicalJson(value as JsonValue)).toThrow(TypeError);
  });
});
