import { type AmountDoubt, type ReadNumber, readAmountNumber, readAmountText } from "@/server/domain/amount-text";
import { isJsonObject, type JsonObject, type JsonValue } from "@/server/domain/json";
import { type AmountArgument, microsFromDecimal } from "@/server/domain/money";

/** What a call says it pays or moves. */
export type AmountReading =
  | { readonly kind: "none" }
  | { readonly kind: "certain"; readonly micros: bigint; readonly currency: string }
  | { readonly kind: "unclear"; readonly doubt: AmountDoubt };

export const NO_AMOUNT: AmountReading = { kind: "none" };
export const unclearAmount = (doubt: AmountDoubt): AmountReading => ({ kind: "unclear", doubt });

/** The amount of an action whose schema types it, with its currency. */
export function declaredAmount({ value, currency }: AmountArgument): AmountReading {
  const micros = microsFromDecimal(value);
  return micros === null ? unclearAmount("format") : { kind: "certain", micros, currency };
}

const AMOUNTS = new Set([
  ...["amount", "amounts", "total", "subtotal", "sum", "price", "cost", "fee", "payment", "payout", "refund", "charge"],
  ...[
    "betrag",
    "summe",
    "preis",
    "montant",
    "prix",
    "importe",
    "monto",
    "precio",
    "importo",
    "prezzo",
    "bedrag",
    "valor",
  ],
]);
const UNITS = new Set(["cents", "cent", "minor", "micros", "micro", "pence", "pennies", "nano", "nanos", "milli"]);
const CURRENCIES = new Set(["currency", "ccy"]);
/** The codes (ISO 4217) that people name a field after: `eur: 12`. Others are words as well, such as `all` and `top`. */
const CODES = new Set(
  "usd eur gbp chf jpy cad aud nzd sek nok dkk pln czk huf ron bgn isk cny inr brl mxn sgd hkd krw twd thb zar ils aed sar uah btc eth usdt usdc".split(
    " ",
  ),
);
/** What a name that ends so holds is about an amount, and none itself. */
const NOT_AN_AMOUNT = new Set([
  ...["id", "ids", "type", "kind", "count", "code", "name", "label", "date", "time", "at", "by", "method", "status"],
  ...["key", "url", "format", "currency", "ccy", "pages", "items", "results", "reason", "reference", "description"],
]);
/** Under a name that is an amount: `amount: { value, currency }`. */
const INNER = new Set(["value", "units", "number", "gross", "net"]);

const wordsIn = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "");

/** Whether a text that cannot be taken apart mentions an amount, so that nobody reads past it. */
export const mentionsAmount = (text: string): boolean =>
  wordsIn(text).some((word) => AMOUNTS.has(word)) && /\d/.test(text);

type Found = { readonly number: ReadNumber; readonly currency: string; readonly hasUnit: boolean };
type Place = {
  readonly value: JsonValue;
  readonly words: readonly string[];
  readonly currency: string;
  readonly inAmount: boolean;
  /** Whether a currency stands in the same object. */
  readonly isBeside: boolean;
};

/**
 * Looks through arguments that no schema types for what is named like an amount. One amount with one reading and a
 * currency is certain; nothing named so, and no number with a currency, is none; all else is unclear, for a person to read.
 */
export function findAmount(json: JsonValue): AmountReading {
  const found: Found[] = [];
  let isWithCurrency = false;
  const rest: Place[] = [{ value: json, words: [], currency: "", inAmount: false, isBeside: false }];
  for (let place = rest.pop(); place !== undefined; place = rest.pop()) {
    const { value } = place;
    if (Array.isArray(value)) rest.push(...value.map((item) => ({ ...place, value: item })));
    else if (isJsonObject(value)) rest.push(...placesIn(value, place));
    else if (isAmount(place)) found.push(...read(place));
    else isWithCurrency ||= isMoneyUnnamed(place);
  }
  return found.length === 0 && isWithCurrency ? unclearAmount("name") : readingOf(found);
}

function placesIn(value: JsonObject, { words, currency, inAmount }: Place): Place[] {
  const beside = currencyIn(value);
  const own = beside ?? currency;
  const isInner = inAmount || isNamedSo(words);
  return Object.entries(value).map(([key, item]) => ({
    value: item,
    words: wordsIn(key),
    currency: own,
    inAmount: isInner,
    isBeside: beside !== null,
  }));
}

function currencyIn(value: JsonObject): string | null {
  for (const [key, item] of Object.entries(value)) {
    const isNamed = wordsIn(key).some((word) => CURRENCIES.has(word));
    if (isNamed && typeof item === "string" && /^[A-Za-z]{3}$/.test(item)) return item.toUpperCase();
  }
  return null;
}

function isNamedSo(words: readonly string[]): boolean {
  return words.some((word) => AMOUNTS.has(word)) && !NOT_AN_AMOUNT.has(words.at(-1) ?? "");
}

const isAmount = ({ words, inAmount }: Place): boolean =>
  isNamedSo(words) || (inAmount && words.some((word) => INNER.has(word)));

/** A number with a currency that is called something else: `salary` beside `currency`, or `eur`. */
function isMoneyUnnamed({ value, words, isBeside }: Place): boolean {
  const isNumber = typeof value === "number" || (typeof value === "string" && /^[^\p{L}]*\p{N}[^\p{L}]*$/u.test(value));
  if (!isNumber || NOT_AN_AMOUNT.has(words.at(-1) ?? "")) return false;
  return isBeside || words.some((word) => CODES.has(word));
}

function read({ value, words, currency }: Place): Found[] {
  const hasUnit = words.some((word) => UNITS.has(word));
  if (typeof value === "number") return [{ number: readAmountNumber(value), currency, hasUnit }];
  // A text without a digit, such as "free", is no number in any spelling.
  if (typeof value === "string" && /\p{N}/u.test(value)) return [{ number: readAmountText(value), currency, hasUnit }];
  return [];
}

function readingOf(found: readonly Found[]): AmountReading {
  const [one, ...more] = found;
  if (one === undefined) return NO_AMOUNT;
  if (more.length > 0) return unclearAmount("several");
  if (!one.number.ok) return unclearAmount(one.number.doubt);
  if (one.hasUnit) return unclearAmount("unit");
  const { micros, currency: written } = one.number;
  const currency = written === "" ? one.currency : written;
  const disagree = written !== "" && one.currency !== "" && written !== one.currency;
  if (disagree || currency === "") return unclearAmount("currency");
  return { kind: "certain", micros, currency };
}
