import type { BudgetFact, Facts } from "@/server/domain/facts";
import type { ToolCall } from "@/server/domain/tool-request";
import { deny, PASS } from "@/server/domain/verdict";
import type { Check } from "@/server/gateway/check";

/** The budgets that a priced call draws on. Without a budget a scope has no cap; the organization always has one. */
export function budgetsFor(call: ToolCall, facts: Facts): readonly BudgetFact[] {
  const { price } = call.action;
  return price === null ? [] : facts.budgets.filter((budget) => budget.currency === price.currency);
}

const hasRoom = (budget: BudgetFact, micros: bigint): boolean =>
  micros + (budget.scope === "request" ? 0n : budget.spentMicros + budget.reservedMicros) <= budget.capMicros;

/** Whether there is money for what is about to run. At submission this only advises; the claim takes. */
export const reservation: Check = {
  name: "reservation",
  run(call, facts) {
    const { price } = call.action;
    if (price === null) return PASS;
    const budgets = budgetsFor(call, facts);
    if (!budgets.some((budget) => budget.scope === "organization")) return deny("no_budget");
    const short = budgets.find((budget) => !hasRoom(budget, price.micros));
    return short ? deny("budget_spent", { detail: `the ${short.scope}'s budget for a ${short.period}` }) : PASS;
  },
};
