import { pageSchema } from "@/server/domain/page";
import { budgetSchema } from "@/server/services/budgets/budget-view";
import { changeBudget } from "@/server/services/budgets/change";
import { createBudget } from "@/server/services/budgets/create";
import { listBudgets } from "@/server/services/budgets/list";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Budgets"] as const;

export const budgetsRouter = router({
  list: procedureOf(listBudgets, {
    method: "GET",
    path: "/budgets",
    summary: "List budgets with what is spent and held of them.",
    tags,
    output: pageSchema(budgetSchema),
  }),
  create: procedureOf(createBudget, {
    method: "POST",
    path: "/budgets",
    summary: "Cap the money of each request, an agent, a department or the organization.",
    tags,
    successStatuses: [201],
    output: budgetSchema,
    example: {
      scope: "agent",
      scopeId: "agt_01JDXK3T9V5M2Q8R4W7Y6Z0ABC",
      period: "day",
      currency: "USD",
      capMicros: "5000000",
    },
  }),
  change: procedureOf(changeBudget, {
    method: "PATCH",
    path: "/budgets/{id}",
    summary: "Set another cap.",
    tags,
    output: budgetSchema,
    example: { version: 1, capMicros: "12500000" },
  }),
});
