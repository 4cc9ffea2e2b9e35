import fc from "fast-check";
import { expect, test } from "vitest";
import { AnchorIndex } from "@/server/domain/secret-scan/anchor-index";

function occurrences(index: AnchorIndex<string>, text: string): string[] {
  const found: string[] = [];
  index.visit(text, (at, anchor) => {
    found.push(`${at} ${anchor}`);
    return true;
  });
  return found.sort();
}

function byHand(anchors: readonly string[], text: string): string[] {
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return [...lower].length === 0
    ? []
    : anchors
        .flatMap((anchor) => {
          const found: string[] = [];
          for (let at = lower.indexOf(anchor); at >= 0; at = lower.indexOf(anchor, at + 1))
            found.push(`${at} ${anchor}`);
          return found;
        })
        .sort();
}

const anchors = fc.uniqueArray(fc.string({ unit: fc.constantFrom("a", "b", "_"), minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 12,
});
const texts = fc.string({ unit: fc.constantFrom("a", "b", "A", "B", "_", "é", "x", "\ud83d\ude00"), maxLength: 60 });

test("it finds exactly the occurrences a search for each anchor finds, whatever their case and overlap", () => {
  fc.assert(
    fc.property(anchors, texts, (names, text) => {
      const index = new AnchorIndex(names.map((name) => [name, name] as const));
      expect(occurrences(index, text)).toEqual(byHand(names, text));
    }),
    { numRuns: 1_000 },
  );
});

test("it stops when told to", () => {
  const seen: number[] = [];
  new AnchorIndex([["ab", "ab"]]).visit("ab ab ab", (at) => seen.push(at) < 2);
  expect(seen).toEqual([0, 3]);
});

test("one anchor may carry several values", () => {
  const index = new AnchorIndex([
    ["ab", "one"],
    ["ab", "two"],
  ]);
  expect(occurrences(index, "xabx")).toEqual(["1 one", "1 two"]);
});
