import { expect, it } from "vitest";
import { isMatch } from "@/app/_ui/approvals/list-filter";

const row = "E-mail to 2 addresses\nada@customer.example +1\nOrder desk\nmedium risk\npending";

it.each(["", "  ", "order", "ORDER desk", "desk ada", "medium", "customer.example"])("finds %j", (query) => {
  expect(isMatch(row, query)).toBe(true);
});

it.each(["orders", "ada high", "ada.customer"])("does not find %j", (query) => {
  expect(isMatch(row, query)).toBe(false);
});
