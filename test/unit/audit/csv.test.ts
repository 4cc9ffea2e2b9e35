import fc from "fast-check";
import { expect, it } from "vitest";
import { csvCell, csvLine } from "@/server/services/audit/csv";

const FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\uFEFF=1", "\uFF1D1", "|cmd", "%0A"];

it.each(FORMULAS)("%j is no formula to a spreadsheet", (text) => {
  expect(csvCell(text)).toBe(`"'${text.replaceAll('"', '""')}"`);
});

/** RFC 4180, for lines whose cells are all quoted. */
const cellsOf = (line: string) =>
  [...line.matchAll(/"((?:[^"]|"")*)"(?:,|\r\n)/g)].map(([, cell]) => cell?.replaceAll('""', '"'));

const cell = fc.string({
  unit: fc.constantFrom("=", "+", '"', ",", "\r", "\n", "'", " ", "a", "é", "\u202E"),
  maxLength: 12,
});

it("any cells read back as they were written, but for the guard", () =>
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (cells) => {
      const read = cellsOf(csvLine(cells));
      expect(read.map((text, n) => (text === `'${cells[n]}` ? cells[n] : text))).toEqual(cells);
      for (const text of read) expect(text).not.toMatch(/^[=+\-@]/);
    }),
  ));
