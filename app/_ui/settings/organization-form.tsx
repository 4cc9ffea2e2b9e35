"use client";

import { changeOrganization } from "@/app/_ui/actions";
import { TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { text, whole } from "@/app/_ui/form/values";
import type { OrganizationView } from "@/server/services/organizations/get";

export function EditOrganization({ organization }: { organization: OrganizationView }) {
  const run = (fields: FormData) =>
    changeOrganization({
      version: organization.version,
      name: text(fields, "name"),
      undoSeconds: whole(fields, "undoSeconds"),
      requestsPerMinute: whole(fields, "requestsPerMinute"),
      requestBurst: whole(fields, "requestBurst"),
    });
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Edit
        </button>
      }
      title="Edit the organization"
      submit="Save organization"
      run={run}
    >
      <TextField name="name" label="Name" maxLength={120} defaultValue={organization.name} />
      <TextField
        name="undoSeconds"
        label="Undo window in seconds"
        hint="60 to 300. What has one waits this long after approval."
        inputMode="numeric"
        defaultValue={String(organization.undoSeconds)}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          name="requestsPerMinute"
          label="Calls a minute"
          inputMode="numeric"
          defaultValue={String(organization.requestsPerMinute)}
        />
        <TextField
          name="requestBurst"
          label="Calls at once"
          inputMode="numeric"
          defaultValue={String(organization.requestBurst)}
        />
      </div>
    </FormDialog>
  );
}
