"use client";

import { endAbsence, endAbsenceFor, setAbsence, setAbsenceFor } from "@/app/_ui/actions";
import { DoButton } from "@/app/_ui/do-button";
import { type Choice, ChoiceField, TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { text } from "@/app/_ui/form/values";
import { absenceFields } from "./absence-fields";

type Props = {
  /** Null for oneself. */
  member: { id: string; name: string } | null;
  delegates: readonly Choice[];
};

/** Says from when and until when somebody is out, and who stands in. */
export function SetAbsence({ member, delegates }: Props) {
  const run = (form: FormData) => {
    const fields = absenceFields({
      from: text(form, "from"),
      until: text(form, "until"),
      delegate: text(form, "delegate"),
    });
    return member === null ? setAbsence(fields) : setAbsenceFor({ member: member.id, ...fields });
  };
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Out of office…{member === null ? null : <span className="sr-only"> {member.name}</span>}
        </button>
      }
      title={member === null ? "You are out of office" : "Somebody is out of office"}
      about="Reminders go to who stands in. That one decides what they may decide anyway, and gains nothing by it. At most 60 days."
      submit="Save the absence"
      run={run}
    >
      <TextField name="from" label="From" type="datetime-local" hint="Empty: from now on." />
      <TextField name="until" label="Until" type="datetime-local" required />
      <ChoiceField name="delegate" label="Stands in" choices={delegates} />
    </FormDialog>
  );
}

/** Ends an absence before its time; one's own without an id. */
export function EndAbsence({ id, name }: { id?: string; name?: string }) {
  return (
    <DoButton run={() => (id === undefined ? endAbsence() : endAbsenceFor(id))} done="The absence is over.">
      End the absence{name === undefined ? null : <span className="sr-only"> of {name}</span>}
    </DoButton>
  );
}
