import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTooQuick, leastReadingMs } from "@/server/domain/reading-time";

const AT = new Date("2026-12-01T12:00:00Z");
const ago = (ms: number) => new Date(AT.getTime() - ms);
const wordsOf = (count: number) => Array.from({ length: count }, () => "word").join(" ");

describe("the least time that reading takes", () => {
  test("is two seconds for what is short, then an eighth of a second a word", () => {
    expect(leastReadingMs({ to: ["ada@customer.example"] })).toBe(2_000);
    expect(leastReadingMs({ text: wordsOf(476) })).toBe(60_000);
    expect(leastReadingMs({ text: wordsOf(238), list: [{ more: wordsOf(237) }, 7] })).toBe(60_000);
  });

  test("counts the words of scripts that write no spaces", () =>
    expect(leastReadingMs({ text: "我们明天发货".repeat(100) })).toBeGreaterThan(20_000));

  test("never falls as something is added", () =>
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (texts, more) => {
        expect(leastReadingMs({ texts: [...texts, more] })).toBeGreaterThanOrEqual(leastReadingMs({ texts }));
      }),
    ));
});

describe("an answer is too quick", () => {
  test("until that time is over since it was opened, and where it never was", () => {
    expect(isTooQuick({ openedAt: ago(1_999), leastMs: 2_000 }, AT)).toBe(true);
    expect(isTooQuick({ openedAt: ago(2_000), leastMs: 2_000 }, AT)).toBe(false);
    expect(isTooQuick({ openedAt: null, leastMs: 2_000 }, AT)).toBe(true);
  });
});
