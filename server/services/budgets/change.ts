import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { versionSchema } from "@/server/domain/version";
import { audit } from "@/server/services/audit/record";
import { budgetColumns, budgetView, capSchema } from "@/server/services/budgets/budget-view";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { changedMeanwhile, notFound } from "@/server/services/failures";

/** Sets another cap. What is spent or held stays counted, so a lower cap can be reached at once. */
export const changeBudget = command({
  name: "budget.change",
  callers: ["member"],
  permission: "budget:manage",
  input: z.strictObject({ id: idOf("budget"), version: versionSchema, capMicros: capSchema }),
  run: (actor, { id, version, capMicros }) =>
    withOrg(actor.orgId, async (tx) => {
      await holdClaims(tx);
      const before = await tx.budget.findUnique({ where: { id }, select: budgetColumns });
      if (!before) throw notFound("budget");
      const { count } = await tx.budget.updateMany({
        where: { id, version },
        data: { capMicros, version: { increment: 1 } },
      });
      if (count === 0) throw changedMeanwhile("budget");
      const { scope, scopeId, period, currency } = before;
      const caps = { capMicros: `${capMicros}`, previousCapMicros: `${before.capMicros}` };
      const fields = { budget: id, scope, scopeId, period, currency, ...caps };
      await audit(tx, { type: "budget.changed", actor, at: tx.now, fields });
      return budgetView({ ...before, capMicros, version: version + 1 }, tx.now);
    }),
});
