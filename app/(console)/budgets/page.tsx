import type { Metadata } from "next";
import { orNotFound, requireActor } from "@/app/_lib/actor";
import { agentChoices, departmentChoices } from "@/app/_lib/choices";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { PageHead } from "@/app/_ui/bits";
import { CreateBudget } from "@/app/_ui/budgets/budget-form";
import { BudgetList, type NamedBudget } from "@/app/_ui/budgets/budget-list";
import type { Choice } from "@/app/_ui/form/fields";
import { Older, Page } from "@/app/_ui/pages";
import type { BudgetView } from "@/server/services/budgets/budget-view";
import { listBudgets } from "@/server/services/budgets/list";

export const metadata: Metadata = { title: "Budgets" };

export default async function BudgetsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requireActor("budget:read");
  const cursor = first((await searchParams).cursor);
  const [page, agents, departments] = await Promise.all([
    orNotFound(listBudgets(actor, cursor ? { cursor } : {})),
    agentChoices(actor),
    departmentChoices(actor),
  ]);
  const mayManage = actor.permissions.has("budget:manage");
  return (
    <Page>
      <PageHead title="Budgets">
        {mayManage ? <CreateBudget agents={agents} departments={departments} /> : null}
      </PageHead>
      <BudgetList
        budgets={page.items.map((budget) => named(budget, [...agents, ...departments]))}
        mayManage={mayManage}
      />
      <Older path="/budgets" params={{}} cursor={page.nextCursor} />
    </Page>
  );
}

function named(budget: BudgetView, known: readonly Choice[]): NamedBudget {
  const own = known.find(({ value }) => value === budget.scopeId)?.label;
  const names = { organization: "Organization", request: "Each request", agent: "Agent", department: "Department" };
  return { ...budget, name: own ?? names[budget.scope] };
}
