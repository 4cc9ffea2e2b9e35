import { microsFromDecimal } from "@/server/domain/money";

/** Why an amount cannot be read for certain, in words for people. */
export const AMOUNT_DOUBTS = {
  format: "an amount in the arguments can be read in more than one way",
  currency: "an amount in the arguments names no currency",
  several: "the arguments hold several amounts",
  sign: "an amount in the arguments is negative",
  name: "a number in the arguments stands with a currency, under a name that does not say what it is",
  unit: "an amount in the arguments is not in whole units of a currency",
} as const;
export type AmountDoubt = keyof typeof AMOUNT_DOUBTS;

/** An amount as a text or number says it. `currency` is empty where it names none. */
export type ReadNumber =
  | { readonly ok: true; readonly micros: bigint; readonly currency: string }
  | { readonly ok: false; readonly doubt: AmountDoubt };

const doubt = (why: AmountDoubt): ReadNumber => ({ ok: false, doubt: why });

const AROUND = /^(?:([A-Za-z]{3}|€)\s?)?([-+−]?)([\d.,'’\s]*\d)(?:\s?([A-Za-z]{3}|€))?$/;

/**
 * Reads an amount as people and programs write it, in any country's spelling, and only where there is one reading:
 * `12.50` and `1.234,50` have one, `12.000` and `1,234` have two. Never a guess.
 */
export function readAmountText(text: string): ReadNumber {
  const [, before = "", sign, number = "", after = ""] = AROUND.exec(text.trim()) ?? [];
  if (sign === undefined || (before !== "" && after !== "")) return doubt("format");
  if (sign === "-" || sign === "−") return doubt("sign");
  const decimal = decimalOf(number);
  const micros = decimal === null ? null : microsFromDecimal(decimal);
  if (micros === null) return doubt("format");
  return { ok: true, micros, currency: currencyOf(before + after) };
}

const currencyOf = (text: string): string => (text === "€" ? "EUR" : text.toUpperCase());

const GROUPED = /^[1-9]\d{0,2}(?:\d{3})+$/;
const SPACED = /^[1-9]\d{0,2}(?:([\s'’])\d{3})(?:\1\d{3})*(?:[.,]\d{1,6})?$/;

/** The number with a point and no grouping, or null where it has no reading or two. */
function decimalOf(number: string): string | null {
  if (/^\d+$/.test(number)) return number;
  if (SPACED.test(number)) return number.replaceAll(/[\s'’]/g, "").replace(",", ".");
  return /^\d[\d.,]*$/.test(number) ? decimalOfMarks(number) : null;
}

/** Digits with points and commas among them. */
function decimalOfMarks(number: string): string | null {
  const [mark = "", ...marks] = number.replaceAll(/\d/g, "");
  const last = marks.at(-1) ?? mark;
  const [whole = "", fraction = "", ...more] = number.split(last);
  if (more.length > 0) return marks.every((one) => one === mark) ? groupedOf(number.split(mark)) : null;
  if (!/^\d{1,6}$/.test(fraction)) return null;
  if (marks.length === 0) return isAmbiguous(whole, fraction) ? null : `${whole}.${fraction}`;
  const units = groupedOf(whole.split(mark));
  return units === null ? null : `${units}.${fraction}`;
}

/** `1`, `234`, `567` of one and the same mark is grouped by thousands; anything else of two marks is no number. */
function groupedOf(groups: readonly string[]): string | null {
  const [first = "", ...rest] = groups;
  const isGrouped = rest.every((group) => group.length === 3) && GROUPED.test(first + rest.join(""));
  return isGrouped && first.length <= 3 ? first + rest.join("") : null;
}

/** One mark before three digits, after one to three of which the first is no zero, may group or may begin a fraction. */
const isAmbiguous = (whole: string, fraction: string): boolean =>
  fraction.length === 3 && whole.length <= 3 && !whole.startsWith("0");

/**
 * A number of JSON, in whole units. Services that count in cents send a hundred times as much: read as units it is
 * above a limit sooner, never later.
 */
export function readAmountNumber(number: number): ReadNumber {
  if (number < 0) return doubt("sign");
  const micros = Number.isSafeInteger(number) || number < 1e9 ? microsFromDecimal(String(number)) : null;
  return micros === null ? doubt("format") : { ok: true, micros, currency: "" };
}
