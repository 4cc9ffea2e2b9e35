"use client";

import { changeOrganization } from "@/app/_ui/actions";
import { ChoiceField, TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { text, whole } from "@/app/_ui/form/values";
import type { OrganizationView } from "@/server/services/organizations/get";

const SLACK_RISKS = [
  { value: "medium", label: "Low and medium risk" },
  { value: "low", label: "Low risk only" },
];

export function EditOrganization({ organization }: { organization: OrganizationView }) {
  const run = (fields: FormData) =>
    changeOrganization({
      version: organization.version,
      name: text(fields, "name"),
      undoSeconds: whole(fields, "undoSeconds"),
      requestsPerMinute: whole(fields, "requestsPerMinute"),
      requestBurst: whole(fields, "requestBurst"),
      escalateAfterMinutes: whole(fields, "escalateAfterMinutes"),
      slackMaxRisk: fields.get("slackMaxRisk") === "low" ? "low" : "medium",
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
      <TextField
        name="escalateAfterMinutes"
        label="Minutes until the next role is called"
        hint="0 to 10080. What nobody decides goes on from approvers to admins, then to owners; 0 is never."
        inputMode="numeric"
        defaultValue={String(organization.escalateAfterMinutes)}
      />
      <ChoiceField
        name="slackMaxRisk"
        label="Slack may approve"
        hint="High risk is approved in the web app alone."
        choices={SLACK_RISKS}
        defaultValue={organization.slackMaxRisk}
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
