import fc from "fast-check";
import { expect, test } from "vitest";
import { cutText, isStorableText, oneLineText, showPath, writtenText } from "@/server/domain/text";

test("a cut keeps the limit and never leaves half a character", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "é", "\u4f60", "\ud83d\ude00", "\ud83c\udf89"), maxLength: 40 }),
      fc.nat({ max: 30 }),
      (text, limit) => {
        const cut = cutText(text, limit);
        expect(cut.length).toBeLessThanOrEqual(Math.max(limit, 0));
        expect(cut.isWellFormed()).toBe(true);
        if (text.length <= limit) expect(cut).toBe(text);
      },
    ),
  );
});

test("text with NUL or a lone surrogate cannot be stored", () => {
  expect(isStorableText("Grüße 👋")).toBe(true);
  expect(isStorableText("a\u0000b")).toBe(false);
  expect(isStorableText("a\ud83d")).toBe(false);
});

test("written text is trimmed and refuses what people cannot see", () => {
  expect(writtenText(20).parse("  Hello\n\tworld ")).toBe("Hello\n\tworld");
  for (const bad of [
    "",
    "   ",
    "a\u0000",
    "a\u001b[31m",
    "a\u202eb",
    "a\u2066b",
    "a\u0085b",
    "a\ud800",
    "x".repeat(21),
  ]) {
    expect(writtenText(20).safeParse(bad).success).toBe(false);
  }
});

test("a name stays on one line", () => {
  expect(oneLineText(20).safeParse("two words").success).toBe(true);
  for (const bad of ["a\nb", "a\rb", "a\u2028b"]) expect(oneLineText(20).safeParse(bad).success).toBe(false);
});

test("a path shows plain keys and hides those that could be content", () => {
  expect(showPath(["arguments", "to", 0, "name"])).toBe("arguments.to[0].name");
  expect(showPath([0, "Content-Type"])).toBe("[0].Content-Type");
  expect(showPath(["arguments", "two words", "x".repeat(65)])).toBe("arguments.(key).(key)");
});
