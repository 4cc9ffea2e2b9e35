import { formatMicros } from "@/app/_lib/format";
import { Empty } from "@/app/_ui/bits";
import { SafeText } from "@/app/_ui/safe-text";
import type { BudgetView } from "@/server/services/budgets/budget-view";
import { BudgetBar } from "./budget-bar";
import { ChangeCap } from "./budget-form";

export type NamedBudget = BudgetView & { name: string };

type Props = { budgets: readonly NamedBudget[]; mayManage: boolean };

export function BudgetList({ budgets, mayManage }: Props) {
  if (budgets.length === 0) {
    return (
      <Empty card>
        <p>No budget: nothing caps what paid actions may cost.</p>
      </Empty>
    );
  }
  return (
    <ul className="grid gap-3" aria-label="Budgets">
      {budgets.map((budget) => (
        <li key={budget.id} className="card grid gap-3 p-4">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <h2 className="text-md font-semibold">
              <SafeText text={budget.name} oneLine />
            </h2>
            <span className="text-text2">
              {budget.period === "request" ? "a single request" : `a ${budget.period}, UTC`}
            </span>
            {mayManage ? (
              <span className="ml-auto">
                <ChangeCap budget={budget} />
              </span>
            ) : null}
          </div>
          {budget.period === "request" ? (
            <p>at most {formatMicros(budget.capMicros, budget.currency)}</p>
          ) : (
            <BudgetBar budget={budget} />
          )}
        </li>
      ))}
    </ul>
  );
}
