import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { httpAmount } from "@/server/domain/actions/http-amount";
import { readAmountText } from "@/server/domain/amount-text";
import { type AmountReading, findAmount } from "@/server/domain/amounts";
import { decimalFromMicros } from "@/server/domain/money";

const say = (reading: AmountReading): string => {
  if (reading.kind === "none") return "none";
  if (reading.kind === "unclear") return `? ${reading.doubt}`;
  return `${decimalFromMicros(reading.micros)} ${reading.currency}`;
};
const of = (value: string | number) => say(findAmount({ amount: value, currency: "EUR" }));

describe("an amount in a text", () => {
  test.each([
    ["500", "500.00 EUR"],
    ["12.5", "12.50 EUR"],
    ["12,50", "12.50 EUR"],
    ["0.125", "0.125 EUR"],
    ["0,125", "0.125 EUR"],
    ["1234.567", "1234.567 EUR"],
    ["1,234.56", "1234.56 EUR"],
    ["1.234,56", "1234.56 EUR"],
    ["1.234.567", "1234567.00 EUR"],
    ["1,234,567.89", "1234567.89 EUR"],
    ["12 000", "12000.00 EUR"],
    ["12\u202f000,50", "12000.50 EUR"],
    ["12'000.50", "12000.50 EUR"],
    ["EUR 12.50", "12.50 EUR"],
    ["12,50 €", "12.50 EUR"],
  ])("%s has one reading: %s", (text, expected) => expect(of(text)).toBe(expected));

  test.each([
    ["12.000", "? format"],
    ["1,234", "? format"],
    ["999.999", "? format"],
    ["1,00,000", "? format"],
    ["1.234,567.89", "? format"],
    ["12.", "? format"],
    ["1e5", "? format"],
    ["12k", "? format"],
    ["about 500", "? format"],
    ["１２", "? format"],
    ["½", "? format"],
    ["12.1234567", "? format"],
    ["1000000000000000", "? format"],
    ["-500", "? sign"],
    ["−500", "? sign"],
    ["$500", "? format"],
    ["USD 500", "? currency"],
    ["EUR 5 EUR", "? format"],
  ])("%s has none, or two: %s", (text, expected) => expect(of(text)).toBe(expected));

  it("that is read is what was written, however it was spelled", () => {
    const spellings = fc.tuple(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.constantFrom(".", ","),
      fc.constantFrom("", " ", "'"),
    );
    fc.assert(
      fc.property(spellings, ([hundredths, point, group]) => {
        const units = (hundredths / 100n).toString().replaceAll(/\B(?=(\d{3})+$)/g, group);
        const text = `${units}${point}${(hundredths % 100n).toString().padStart(2, "0")}`;
        expect(readAmountText(text)).toEqual({ ok: true, micros: hundredths * 10_000n, currency: "" });
      }),
    );
  });
});

describe("a number", () => {
  test.each([
    [500, "500.00 EUR"],
    [12.5, "12.50 EUR"],
    [-1, "? sign"],
    [1e21, "? format"],
    [1e-7, "? format"],
    [2 ** 53, "? format"],
  ])("%s: %s", (value, expected) => expect(of(value)).toBe(expected));
});

describe("what is named like an amount in arguments", () => {
  test.each<[string, unknown, string]>([
    ["nothing", { to: ["a@b.example"], subject: "500 EUR", text: "Pay 12.000" }, "none"],
    ["names about amounts", { price_id: "p_1", totalCount: 3, amountType: "7", payment_method: "12" }, "none"],
    ["a word", { total: "free" }, "none"],
    ["no currency", { amount: "500" }, "? currency"],
    ["currency above", { currency: "usd", order: { totalAmount: 5 } }, "5.00 USD"],
    ["an amount with a value", { amount: { currency_code: "EUR", value: "12.50" } }, "12.50 EUR"],
    ["cents", { amount_cents: 1250, currency: "EUR" }, "? unit"],
    ["two", { currency: "EUR", items: [{ price: "1" }, { price: "2" }] }, "? several"],
    ["another language", { betrag: "12.000", currency: "EUR" }, "? format"],
    ["two currencies", { amount: "5 USD", currency: "EUR" }, "? currency"],
  ])("%s", (_what, json, expected) => expect(say(findAmount(json as never))).toBe(expected));
});

describe("an HTTP call", () => {
  test.each<[string, string, unknown, string]>([
    ["JSON as an object", "", { amount: "5", currency: "EUR" }, "5.00 EUR"],
    ["JSON as text", "", '{"amount":"12.000","currency":"EUR"}', "? format"],
    ["JSON with an escaped name", "", '{"\\u0061mount":"5","currency":"EUR"}', "5.00 EUR"],
    ["JSON with an amount twice", "", '{"amount":1,"amount":9999,"currency":"EUR"}', "? format"],
    ["a form", "", "amount=5&currency=eur", "5.00 EUR"],
    ["a form with an amount twice", "", "amount=5&amount=6&currency=eur", "? format"],
    ["a form with an encoded name", "", "%61mount=12.000&currency=eur", "? format"],
    ["a query", "?amount=5&currency=EUR", undefined, "5.00 EUR"],
    ["a query and a body", "?amount=5&currency=EUR", { amount: "6" }, "? several"],
    ["XML", "", "<pay><amount>5</amount></pay>", "? format"],
    ["XML with a hidden name", "", "<p><&#97;mount>5</p>", "? format"],
    ["text", "", "hello there", "none"],
    ["nothing", "", undefined, "none"],
  ])("%s", (_what, query, body, expected) => expect(say(httpAmount({ query, body }))).toBe(expected));
});

describe("a number with a currency under another name", () => {
  test.each<[string, object]>([
    ["value", { currency: "EUR", value: 50_000 }],
    ["a text", { transfer: { value: "12.000", currency: "EUR" } }],
    ["another name", { money: { value: 5, currency: "USD" } }],
    ["salary", { salary: 4_000, currency: "EUR" }],
    ["a code as a name", { eur: "12.000" }],
    ["a code in a name", { lines: [{ priceless: true, transferUsd: 12 }] }],
  ])("asks: %s", (_name, json) => expect(say(findAmount(json as never))).toBe("? name"));

  test.each<[string, object]>([
    ["an amount is there", { amount: "12.50", currency: "EUR", quantity: 3 }],
    ["it is an id or a date", { currency: "EUR", customerId: 7, date: "2026-12-01" }],
    ["no currency is near", { quantity: 3, value: 7, order: { currency: "EUR" } }],
    ["it is a text", { currency: "EUR", note: "3 boxes" }],
    ["it is a word as well", { top: 10, all: 1, try: 2 }],
  ])("does not where %s", (_name, json) => expect(say(findAmount(json as never))).not.toBe("? name"));
});
