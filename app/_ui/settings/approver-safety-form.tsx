"use client";

import { changeApproverSafety } from "@/app/_ui/actions";
import { CheckField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { isOn } from "@/app/_ui/form/values";
import type { ApproverSafetyView } from "@/server/services/approver-safety/get";

/** Switches whether an owner who is alone may decide what they asked, with what that means beside it. */
export function EditApproverSafety({ safety }: { safety: ApproverSafetyView }) {
  const run = (fields: FormData) =>
    changeApproverSafety({ version: safety.version, ownerDecidesOwn: isOn(fields, "ownerDecidesOwn") });
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
        name="ownerDecidesOwn"
        label="An owner who is alone may decide what they asked"
        defaultChecked={safety.ownerDecidesOwn}
      />
      <p className="notice notice-wait">
        While that is on and nobody else could decide, no second person looks at what the owner's agents do. It never
        stands for two people, and ends by itself once somebody else could decide.
      </p>
    </FormDialog>
  );
}
