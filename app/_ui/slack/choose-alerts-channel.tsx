"use client";

import { chooseAlertsChannel } from "@/app/_ui/actions";
import { TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { text } from "@/app/_ui/form/values";
import type { SlackWorkspaceView } from "@/server/services/slack/list-workspaces";

/** Chooses where changes of controls and rules are told; an empty field is nowhere. */
export function ChooseAlertsChannel({ workspace }: { workspace: SlackWorkspaceView }) {
  const { teamId, version, alerts } = workspace;
  const run = (fields: FormData) =>
    chooseAlertsChannel({ teamId, version, channelId: text(fields, "alertsChannelId") ?? null });
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          {alerts.channelId === null ? "Choose a channel for alerts" : "Change the channel for alerts"}
        </button>
      }
      title="The channel for alerts"
      about="It is told when a control, an agent’s pause or a rule changes, when Slack takes no cards, and when the audit log does not verify: who and what, never what agents ask for. In a public or shared channel without names."
      submit="Save"
      run={run}
    >
      <TextField
        name="alertsChannelId"
        label="Channel ID"
        mono
        maxLength={32}
        required={false}
        defaultValue={alerts.channelId ?? ""}
        hint="Invite the bot first: /invite @Countersign. Leave it empty for no alerts."
      />
    </FormDialog>
  );
}
