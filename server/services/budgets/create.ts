import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { currencySchema } from "@/server/domain/money";
import { audit } from "@/server/services/audit/record";
import { budgetColumns, budgetView, capSchema, startOf } from "@/server/services/budgets/budget-view";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { invalidField, onTaken } from "@/server/services/failures";

const MAX_BUDGETS = 1_000;
const amount = { currency: currencySchema, capMicros: capSchema };
const overTime = z.enum(["day", "month"]);

const budgetInput = z.discriminatedUnion("scope", [
  z.strictObject({ scope: z.literal("request"), period: z.literal("request").default("request"), ...amount }),
  z.strictObject({ scope: z.literal("agent"), scopeId: idOf("agent"), period: overTime, ...amount }),
  z.strictObject({ scope: z.literal("department"), scopeId: idOf("department"), period: overTime, ...amount }),
  z.strictObject({ scope: z.literal("organization"), period: overTime, ...amount }),
]);
type BudgetInput = z.output<typeof budgetInput>;

/** What the cap is on. The organization's own id stands for itself and for each single request. Throws `invalid`. */
async function scopeIdOf(tx: OrgTx, input: BudgetInput): Promise<string> {
  if (input.scope === "request" || input.scope === "organization") return tx.orgId;
  const where = { where: { id: input.scopeId }, select: { id: true } };
  const found = input.scope === "agent" ? await tx.agent.findUnique(where) : await tx.department.findUnique(where);
  if (!found)
    throw invalidField(
      "scopeId",
      `must be ${input.scope === "agent" ? "an agent" : "a department"} of this organization`,
    );
  return found.id;
}

/** Puts a cap on money. One a scope, period and currency. */
export const createBudget = command({
  name: "budget.create",
  callers: ["member"],
  permission: "budget:manage",
  input: budgetInput,
  run: (actor, input) =>
    onTaken("A budget for this scope, period and currency", () =>
      withOrg(actor.orgId, async (tx) => {
        await holdClaims(tx);
        const { scope, period, currency, capMicros } = input;
        const scopeId = await scopeIdOf(tx, input);
        if ((await tx.budget.count()) >= MAX_BUDGETS) {
          throw new AppError("conflict", `At most ${MAX_BUDGETS} budgets.`, { reason: "too_many" });
        }
        const id = newId("budget");
        const row = await tx.budget.create({
          data: {
            ...{ id, orgId: tx.orgId, scope, scopeId, period, currency, capMicros },
            periodStart: startOf(period, tx.now),
            createdBy: actor.memberId,
          },
          select: budgetColumns,
        });
        const fields = { budget: id, scope, scopeId, period, currency, capMicros: `${capMicros}` };
        await audit(tx, { type: "budget.created", actor, at: tx.now, fields });
        return budgetView(row, tx.now);
      }),
    ),
});
