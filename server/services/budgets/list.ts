import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { cutPage, pageOf } from "@/server/domain/page";
import { budgetColumns, budgetView } from "@/server/services/budgets/budget-view";
import { command } from "@/server/services/command";

/** The organization's budgets with what is spent and held of them, newest first. */
export const listBudgets = command({
  name: "budget.list",
  callers: ["member"],
  permission: "budget:read",
  input: z.strictObject(pageOf("budget")),
  run: (actor, { limit, cursor }) =>
    withOrg(actor.orgId, async (tx) => {
      const rows = await tx.budget.findMany({
        where: cursor === undefined ? {} : { id: { lt: cursor } },
        orderBy: { id: "desc" },
        take: limit + 1,
        select: budgetColumns,
      });
      return cutPage(
        rows.map((row) => budgetView(row, tx.now)),
        limit,
      );
    }),
});
