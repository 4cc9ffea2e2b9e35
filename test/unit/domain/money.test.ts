import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addMoney,
  compareMoney,
  decimalFromMicros,
  decimalSchema,
  formatMoney,
  type Money,
  microsFromDecimal,
  moneySchema,
} from "@/server/domain/money";

const micros = fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n });
const eur = (amount: bigint): Money => ({ micros: amount, currency: "EUR" });

test("every amount survives being written and read", () => {
  fc.assert(
    fc.property(micros, (amount) => {
      expect(microsFromDecimal(decimalFromMicros(amount))).toBe(amount);
    }),
  );
});

test("what is written is a valid decimal with two fraction digits, more only where they count", () => {
  fc.assert(
    fc.property(micros, (amount) => {
      const text = decimalFromMicros(amount);
      expect(decimalSchema.safeParse(text).success).toBe(true);
      expect(text).toMatch(/\.(\d{2}|\d{2,5}[1-9])$/);
    }),
  );
});

test.each([
  ["12.50", 12_500_000n, "12.50"],
  ["0.000001", 1n, "0.000001"],
  ["-0.1", -100_000n, "-0.10"],
  ["7", 7_000_000n, "7.00"],
  ["0.10", 100_000n, "0.10"],
  ["999999999999.999999", 999_999_999_999_999_999n, "999999999999.999999"],
])("%s is %s micro-units", (text, amount, written) => {
  expect(microsFromDecimal(text)).toBe(amount);
  expect(decimalFromMicros(amount)).toBe(written);
});

test.each([
  "",
  "-",
  ".5",
  "5.",
  "1,5",
  "1e3",
  " 1",
  "1 ",
  "+1",
  "1.0000001",
  "1234567890123",
  "0x1",
  "NaN",
  "1.2.3",
  "１",
])("%j is no amount", (text) => expect(microsFromDecimal(text)).toBeNull());

test("adding is exact, commutative and associative; comparing agrees with the difference", () => {
  fc.assert(
    fc.property(micros, micros, micros, (a, b, c) => {
      expect(addMoney(eur(a), eur(b))).toEqual(eur(a + b));
      expect(addMoney(addMoney(eur(a), eur(b)), eur(c))).toEqual(addMoney(eur(a), addMoney(eur(b), eur(c))));
      expect(compareMoney(eur(a), eur(b))).toBe(a === b ? 0 : a < b ? -1 : 1);
    }),
  );
});

test("amounts of different currencies never mix, and a sum beyond 64 bits throws", () => {
  const usd: Money = { micros: 1n, currency: "USD" };
  expect(() => addMoney(eur(1n), usd)).toThrow(TypeError);
  expect(() => compareMoney(eur(1n), usd)).toThrow(TypeError);
  expect(() => addMoney(eur(2n ** 63n - 1n), eur(1n))).toThrow(RangeError);
  expect(moneySchema.safeParse({ micros: 2n ** 63n, currency: "EUR" }).success).toBe(false);
  expect(moneySchema.safeParse({ micros: 1n, currency: "eur" }).success).toBe(false);
});

test("people read amount and currency", () => expect(formatMoney(eur(1_500_000n))).toBe("1.50 EUR"));
