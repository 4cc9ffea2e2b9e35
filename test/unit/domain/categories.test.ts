import { describe, expect, test } from "vitest";
import { holdsBankDetails } from "@/server/domain/categories";

describe("bank details in arguments", () => {
  test.each([
    ["an IBAN in a text", { text: "Pay to DE89 3704 0044 0532 0130 00, please" }],
    ["an IBAN as it is", { body: { iban: "GB82WEST12345698765432" } }],
    ["a card number with spaces", { list: ["4111 1111 1111 1111"] }],
    ["a card number as a number", { card: 5_555_555_555_554_444 }],
    ["deep inside", { a: [{ b: { c: "3782-822463-10005" } }] }],
  ])("are found: %s", (_what, json) => expect(holdsBankDetails(json)).toBe(true));

  test.each([
    ["an IBAN with a wrong digit", { text: "DE88 3704 0044 0532 0130 00" }],
    ["a card number with a wrong digit", { card: "4111 1111 1111 1112" }],
    ["a time in milliseconds", { at: 1_764_538_000_002 }],
    ["zeros", { id: "0000000000000000" }],
    ["an ordinary text", { text: "Invoice 2026-0117 of 30 November" }],
    ["nothing", {}],
  ])("are not seen in %s", (_what, json) => expect(holdsBankDetails(json)).toBe(false));
});
