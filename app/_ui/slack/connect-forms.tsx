"use client";

import { chooseSlackChannel, connectSlack, disconnectSlack, startSlackInstall } from "@/app/_ui/actions";
import { useDo } from "@/app/_ui/do-button";
import { TextField } from "@/app/_ui/form/fields";
import { FormDialog } from "@/app/_ui/form/form-dialog";
import { text } from "@/app/_ui/form/values";
import type { SlackWorkspaceView } from "@/server/services/slack/list-workspaces";
import { goToSlack } from "./go-to-slack";

const CHANNEL_HINT =
  "A private channel that is not shared. In Slack, open its details: the ID stands at the end. Invite the bot first: /invite @Countersign";

/** Slack asks the admin, and sends the browser back. */
export function ConnectWorkspace() {
  const { press, isBusy } = useDo({
    run: async () => goToSlack(await startSlackInstall()),
    done: "Going on to Slack.",
    failed: "Not started",
  });
  return (
    <button type="button" className="btn btn-ink" aria-disabled={isBusy} onClick={press}>
      Connect a workspace
    </button>
  );
}

export function ConnectByToken() {
  const run = (fields: FormData) =>
    connectSlack({ token: text(fields, "token") ?? "", channelId: text(fields, "channelId") ?? "" });
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn">
          Connect with a bot token
        </button>
      }
      title="Connect with a bot token"
      about="For an app that you installed on Slack’s own pages. The token is encrypted before it is stored."
      submit="Connect"
      run={run}
    >
      <TextField name="token" label="Bot token" type="password" autoComplete="off" hint="Starts with xoxb-" />
      <TextField name="channelId" label="Channel ID" mono maxLength={32} hint={CHANNEL_HINT} />
    </FormDialog>
  );
}

type Props = { workspace: SlackWorkspaceView };

export function ChooseChannel({ workspace: { teamId, version, channelId } }: Props) {
  const run = (fields: FormData) => chooseSlackChannel({ teamId, version, channelId: text(fields, "channelId") ?? "" });
  return (
    <FormDialog
      trigger={
        <button type="button" className={channelId === null ? "btn btn-ink" : "btn"}>
          {channelId === null ? "Choose the channel" : "Change the channel"}
        </button>
      }
      title="The channel for approvals"
      about="Whoever can read it reads what is asked. Only linked people with the role decide. What is open in another channel stays there as well."
      submit="Use this channel"
      run={run}
    >
      <TextField
        name="channelId"
        label="Channel ID"
        mono
        maxLength={32}
        defaultValue={channelId ?? ""}
        hint={CHANNEL_HINT}
      />
    </FormDialog>
  );
}

export function DisconnectWorkspace({ workspace }: Props) {
  const name = workspace.name || workspace.teamId;
  return (
    <FormDialog
      trigger={
        <button type="button" className="btn btn-stop">
          Disconnect
        </button>
      }
      title={`Disconnect ${name}?`}
      about="Its token is forgotten here and revoked at Slack. Cards there stay as they are and decide nothing. Approvals go on in the web app."
      submit="Disconnect"
      run={() => disconnectSlack(workspace.teamId)}
    >
      {null}
    </FormDialog>
  );
}
