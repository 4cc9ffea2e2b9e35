"use client";

import { changeApproverSafety } from "@/app/_ui/actions";
import { CheckField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { isOn } from "@/app/_ui/form/values";
import type { ApproverSafetyView } from "@/server/services/approver-safety/get";

type Props = { safety: ApproverSafetyView; isOwner: boolean };

/** Switches what the organization sets about its approvers. That an owner decides alone, only an owner switches on. */
export function EditApproverSafety({ safety, isOwner }: Props) {
  const mayOwn = isOwner || safety.ownerDecidesOwn;
  const run = (fields: FormData) =>
    changeApproverSafety({
      version: safety.version,
      secondWhenFast: isOn(fields, "secondWhenFast"),
      ...(mayOwn ? { ownerDecidesOwn: isOn(fields, "ownerDecidesOwn") } : {}),
    });
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Edit
        </button>
      }
      title="Edit approver safety"
      submit="Save approver safety"
      run={run}
    >
      <CheckField
        name="secondWhenFast"
        label="Ask a second person when somebody approves faster than it could be read"
        defaultChecked={safety.secondWhenFast}
      />
      {mayOwn ? (
        <>
          <CheckField
            name="ownerDecidesOwn"
            label="An owner who is alone may decide what they asked"
            defaultChecked={safety.ownerDecidesOwn}
          />
          <p className="notice notice-wait">
            While that is on and nobody else could decide, no second person looks at what the owner's agents do. It
            never stands for two people, and ends by itself once somebody else could decide.
          </p>
        </>
      ) : null}
    </FormDialog>
  );
}
