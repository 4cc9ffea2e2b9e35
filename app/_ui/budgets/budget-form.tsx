"use client";

import { useState } from "react";
import { amountText, parseAmount } from "@/app/_lib/format";
import { changeBudget, createBudget, refuse } from "@/app/_ui/actions";
import { type Choice, ChoiceField, TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { text } from "@/app/_ui/form/values";
import type { BudgetView } from "@/server/services/budgets/budget-view";

const NOT_AN_AMOUNT = "Write an amount such as 12.50, with at most 6 decimals.";

const SCOPES = [
  { value: "organization", label: "the whole organization" },
  { value: "department", label: "a department" },
  { value: "agent", label: "an agent" },
  { value: "request", label: "each single request" },
];
const PERIODS = [
  { value: "day", label: "a day" },
  { value: "month", label: "a month" },
];

type People = { agents: readonly Choice[]; departments: readonly Choice[] };

export function CreateBudget({ agents, departments }: People) {
  const [scope, setScope] = useState("organization");
  const subjects = scope === "agent" ? agents : scope === "department" ? departments : undefined;
  const run = (fields: FormData) => {
    const capMicros = parseAmount(text(fields, "capMicros") ?? "");
    if (capMicros === undefined) return refuse("capMicros", NOT_AN_AMOUNT);
    return createBudget({
      scope,
      ...(subjects ? { scopeId: text(fields, "scopeId") ?? "" } : {}),
      ...(scope === "request" ? {} : { period: text(fields, "period") }),
      currency: (text(fields, "currency") ?? "").toUpperCase(),
      capMicros,
    });
  };
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn btn-ink ml-auto">
          Create budget
        </button>
      }
      title="Create a budget"
      about="A request that would go over a cap is refused when it is about to run."
      submit="Create budget"
      run={run}
    >
      <ChoiceField name="scope" label="For" choices={SCOPES} defaultValue={scope} onChange={setScope} />
      {subjects ? <ChoiceField name="scopeId" label="Which" choices={subjects} /> : null}
      {scope === "request" ? null : <ChoiceField name="period" label="In" choices={PERIODS} />}
      <div className="grid grid-cols-2 gap-4">
        <TextField name="capMicros" label="Cap" inputMode="decimal" />
        <TextField name="currency" label="Currency" maxLength={3} defaultValue="EUR" />
      </div>
    </FormDialog>
  );
}

export function ChangeCap({ budget }: { budget: BudgetView }) {
  const run = (fields: FormData) => {
    const capMicros = parseAmount(text(fields, "capMicros") ?? "");
    if (capMicros === undefined) return refuse("capMicros", NOT_AN_AMOUNT);
    return changeBudget({ id: budget.id, version: budget.version, capMicros });
  };
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Change cap
        </button>
      }
      title="Change the cap"
      about="What is spent or held stays counted, so a lower cap can be reached at once."
      submit="Save cap"
      run={run}
    >
      <TextField
        name="capMicros"
        label={`Cap in ${budget.currency}`}
        inputMode="decimal"
        defaultValue={amountText(budget.capMicros)}
      />
    </FormDialog>
  );
}
