/** What a spreadsheet takes for the start of a formula, wide forms and leading blanks included. */
const FORMULA = /^[\s\uFEFF]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20|%]|^[\t\r\n]/;

/** One cell: quoted, and never a formula to whoever opens the file in a spreadsheet. */
export function csvCell(value: string): string {
  const guarded = FORMULA.test(value) ? `'${value}` : value;
  return `"${guarded.replaceAll('"', '""')}"`;
}

/** One line of RFC 4180. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;
