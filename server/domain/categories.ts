import type { JsonObject, JsonValue } from "@/server/domain/json";
import { isJsonObject } from "@/server/domain/json";

/** Categories that a rule can ask about, and for people, what puts a call into one. */
export const CATEGORIES = {
  message: "it writes to people",
  deletion: "it deletes something",
  money: "it pays or moves money, or an argument is named like an amount",
  bank_details: "an argument holds an account number (IBAN) or a card number whose check digits are right",
  sensitive_connection: "its connection is marked as sensitive",
} as const;
export type Category = keyof typeof CATEGORIES;

const IBAN = /\b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?\b/g;
const CARD = /(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])/g;

/** The ranges of the card networks: one in ten other numbers of that length has the right check digit by chance. */
const CARD_RANGES =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}|6\d{15,18})$/;

/** Whether any text of the arguments holds an IBAN or a card number. Both carry check digits, so that few others fit. */
export function holdsBankDetails(json: JsonObject): boolean {
  const rest: JsonValue[] = [json];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === "string" && (found(next, IBAN, isIban) || found(next, CARD, isCard))) return true;
    if (typeof next === "number" && found(String(next), CARD, isCard)) return true;
    if (Array.isArray(next)) rest.push(...next);
    else if (isJsonObject(next)) rest.push(...Object.values(next));
  }
  return false;
}

function found(text: string, pattern: RegExp, isOne: (plain: string) => boolean): boolean {
  for (const [match] of text.matchAll(pattern)) if (isOne(match.replaceAll(/[ -]/g, ""))) return true;
  return false;
}

/** ISO 13616: the country and check digits moved to the end, letters as numbers, leave 1 over 97. */
function isIban(text: string): boolean {
  let left = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    for (const digit of String(Number.parseInt(character, 36))) left = (left * 10 + Number(digit)) % 97;
  }
  return left === 1;
}

/** ISO/IEC 7812: every second digit from the right doubled, the sum of digits divides by ten. */
function isCard(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 && CARD_RANGES.test(digits);
}
