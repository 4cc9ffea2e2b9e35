"use client";

import { giveRight } from "@/app/_ui/actions";
import { CheckField, CheckGroup, type Choice, ChoiceField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { chosen, text } from "@/app/_ui/form/values";

/** What a right can be limited to. */
export type RightChoices = {
  readonly departments: readonly Choice[];
  readonly actions: readonly Choice[];
  readonly connections: readonly Choice[];
};

const RISKS = [
  { value: "low", label: "low" },
  { value: "medium", label: "up to medium" },
  { value: "high", label: "up to high" },
];
const LISTS = { actions: "Actions", connections: "Connections", departments: "Departments" } as const;

/** Nothing ticked in a group limits nothing. */
function scopeOf(fields: FormData, name: keyof typeof LISTS): string[] | null {
  const values = chosen(fields, name);
  return values.length === 0 ? null : values;
}

type Props = { member: { id: string; name: string }; choices: RightChoices };

export function GiveRight({ member, choices }: Props) {
  const run = (fields: FormData) =>
    giveRight({
      member: member.id,
      maxRisk: text(fields, "maxRisk"),
      actions: scopeOf(fields, "actions"),
      connections: scopeOf(fields, "connections"),
      departments: scopeOf(fields, "departments"),
    });
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Let approve…<span className="sr-only"> {member.name}</span>
        </button>
      }
      title="Give a right to approve"
      about="They decide as an approver does, within this scope, what is asked from now on. What was asked before stays with others."
      submit="Give the right"
      run={run}
    >
      <ChoiceField name="maxRisk" label="Risk" choices={RISKS} defaultValue="low" />
      {Object.entries(LISTS).map(([name, legend]) => {
        const offered = choices[name as keyof typeof LISTS];
        if (offered.length === 0) return null;
        return (
          <CheckGroup key={name} legend={`${legend} (none ticked: any)`}>
            {offered.map(({ value, label }) => (
              <CheckField key={value} name={name} value={value} label={label} />
            ))}
          </CheckGroup>
        );
      })}
    </FormDialog>
  );
}
