import { z } from "zod";

const MICROS_PER_UNIT = 1_000_000n;
const FRACTION_DIGITS = 6;
const DECIMAL = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/;

/** The range of PostgreSQL's `bigint`. */
const MAX_MICROS = 2n ** 63n - 1n;
const MIN_MICROS = -(2n ** 63n);

/** An ISO 4217 code. The list of codes changes, so only the form is checked. */
export const currencySchema = z.string().regex(/^[A-Z]{3}$/, "must be a three-letter currency code such as EUR");

/** Millionths of one unit of a currency. */
const microsSchema = z.bigint().min(MIN_MICROS).max(MAX_MICROS);

/** A decimal amount on the wire, such as `12.50`: at most 12 digits before the point and 6 after. */
export const decimalSchema = z.string().regex(DECIMAL, "must be a decimal amount such as 12.50");

export const moneySchema = z.strictObject({ micros: microsSchema, currency: currencySchema });
export type Money = z.infer<typeof moneySchema>;

/** An amount in an action's schema: a decimal of no negative size, and its currency. */
export const amountArgumentSchema = z.strictObject({
  value: z.string().regex(/^\d{1,12}(\.\d{1,6})?$/, "must be a decimal amount such as 12.50"),
  currency: currencySchema,
});
export type AmountArgument = z.infer<typeof amountArgumentSchema>;

/** Reads `12.50` as micro-units, exactly. Null when it is no decimal of at most 12 and 6 digits: never a guess. */
export function microsFromDecimal(decimal: string): bigint | null {
  const match = DECIMAL.exec(decimal);
  if (match === null) return null;
  const [, sign, units = "", fraction = ""] = match;
  const micros = BigInt(units) * MICROS_PER_UNIT + BigInt(fraction.padEnd(FRACTION_DIGITS, "0"));
  return sign === "-" ? -micros : micros;
}

/** Writes micro-units as a decimal with at least two fraction digits and no needless ones: `12.50`, `0.000001`. */
export function decimalFromMicros(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  const fraction = (size % MICROS_PER_UNIT).toString().padStart(FRACTION_DIGITS, "0");
  const shown = fraction.replace(/0{1,4}$/, "");
  return `${micros < 0n ? "-" : ""}${size / MICROS_PER_UNIT}.${shown}`;
}

/** For people: `12.50 EUR`. */
export function formatMoney(money: Money): string {
  return `${decimalFromMicros(money.micros)} ${money.currency}`;
}

/** Adds two amounts. Throws on different currencies or beyond 64 bits: a caller that mixes them has a bug. */
export function addMoney(a: Money, b: Money): Money {
  assertSameCurrency(a, b);
  const micros = a.micros + b.micros;
  if (micros > MAX_MICROS || micros < MIN_MICROS) throw new RangeError("amount beyond 64 bits");
  return { micros, currency: a.currency };
}

/** Negative, zero or positive as `a` is less than, equal to or more than `b`. Throws on different currencies. */
export function compareMoney(a: Money, b: Money): -1 | 0 | 1 {
  assertSameCurrency(a, b);
  if (a.micros === b.micros) return 0;
  return a.micros < b.micros ? -1 : 1;
}

function assertSameCurrency(a: Money, b: Money): void {
  if (a.currency !== b.currency) throw new TypeError(`currencies differ: ${a.currency} and ${b.currency}`);
}
