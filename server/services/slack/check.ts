import { z } from "zod";
import { type Probe, probeWorkspace } from "@/server/connectors/slack/probe";
import { withOrgSql } from "@/server/db/with-org";
import { SLACK_BOT_SCOPES, slackBotScopes, slackCardScopes, slackEventsUrl } from "@/server/domain/slack-app";
import { problemOf, SLACK_PROBLEMS, type SlackProblem } from "@/server/domain/slack-problem";
import { env } from "@/server/env";
import { command } from "@/server/services/command";
import { readWorkspace, type Workspace } from "@/server/services/slack/read-workspace";
import { noteProblem } from "@/server/services/slack/remove-workspace";
import { slackMode } from "@/server/services/slack/slack-app";
import { teamIdSchema } from "@/server/services/slack/slack-ids";
import { type SocketState, socketState } from "@/server/services/slack/socket-state";

/** One thing that was looked at: how it stands, and what to do where it does not. */
export type CheckItem = {
  readonly name: "signing secret" | "socket" | "token" | "permissions" | "channel" | "calls from Slack";
  readonly isGood: boolean;
  readonly found: string;
  readonly next: string | null;
};

/** The answer, as OpenAPI describes it. */
export const checkedSlackSchema = z.strictObject({
  teamId: z.string(),
  items: z.array(
    z.strictObject({ name: z.string(), isGood: z.boolean(), found: z.string(), next: z.string().nullable() }),
  ),
});

const good = (name: CheckItem["name"], found: string): CheckItem => ({ name, isGood: true, found, next: null });
const bad = (name: CheckItem["name"], found: string, next: string): CheckItem => ({ name, isGood: false, found, next });

/** Asks Slack whether an installation can do what it is for, and says what is missing and what to do next. */
export const checkSlack = command({
  name: "slack.check",
  callers: ["member"],
  permission: "organization:manage",
  input: z.strictObject({ teamId: teamIdSchema }),
  run: async (actor, { teamId }) => {
    const workspace = await readWorkspace(actor.orgId, teamId);
    const probe = await probeOf(workspace);
    const problem = problemIn(workspace, probe);
    // Whether Slack answered at all is no news about the installation.
    if (probe.kind !== "unreachable") await withOrgSql(actor.orgId, (q) => noteProblem(q, actor, { teamId, problem }));
    return {
      teamId,
      items: [entry(), token(probe), ...permissions(probe), ...channel(workspace, probe), calls(workspace)],
    };
  },
});

/** Looks again at a problem that may be over. */
export const recheckSlack = command({
  name: "slack.recheck",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ teamId: teamIdSchema }),
  run: async (actor, { teamId }): Promise<void> => {
    const workspace = await readWorkspace(actor.orgId, teamId);
    const probe = await probeOf(workspace);
    if (probe.kind === "unreachable") return;
    const problem = problemIn(workspace, probe);
    await withOrgSql(actor.orgId, (q) => noteProblem(q, actor, { teamId, problem }));
  },
});

async function probeOf({ token: secret, channelId }: Workspace): Promise<Probe> {
  if (secret === null) return { kind: "refused", error: "token_revoked" };
  return probeWorkspace({ token: secret.expose(), channelId, apiUrl: env().SLACK_API_URL });
}

function problemIn({ channelId }: Workspace, probe: Probe): SlackProblem | null {
  if (probe.kind === "unreachable") return null;
  if (probe.kind === "refused") return problemOf(probe.error) ?? "token_revoked";
  if (slackCardScopes.some((scope) => !probe.scopes.includes(scope))) return "missing_scope";
  if (channelId === null) return "no_channel";
  if (probe.channel.kind === "refused") return problemOf(probe.channel.error) ?? "channel_gone";
  if (probe.channel.isArchived) return "channel_gone";
  return probe.channel.isMember ? null : "not_in_channel";
}

const missingIn = (scopes: readonly string[]) => slackBotScopes.filter((scope) => !scopes.includes(scope));

/** By what Slack reaches us. */
const entry = (): CheckItem => (slackMode() === "socket" ? socket(socketState()) : signingSecret());

function socket(state: SocketState | null): CheckItem {
  if (state === null) {
    return bad(
      "socket",
      "SLACK_APP_TOKEN is set, and the server that answers you opens no socket.",
      "Socket Mode takes a server that stays, started by npm start. Elsewhere, unset SLACK_APP_TOKEN and let Slack call the address.",
    );
  }
  if (state.isConnected) return good("socket", `Connected since ${minuteOf(state.since)}.`);
  return bad(
    "socket",
    `Not connected since ${minuteOf(state.since)}. ${state.fault ?? "It is being opened."}`,
    "It is tried again by itself. If it goes on: SLACK_APP_TOKEN has to be this app’s, with connections:write (Basic Information), and Socket Mode has to be on.",
  );
}

const minuteOf = (time: Date) => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;

const signingSecret = (): CheckItem =>
  env().SLACK_SIGNING_SECRET === undefined
    ? bad(
        "signing secret",
        "SLACK_SIGNING_SECRET is not set, so nothing is taken from Slack.",
        "The operator sets it; the value is on the Slack app's page, Basic Information.",
      )
    : good("signing secret", "Set.");

function token(probe: Probe): CheckItem {
  if (probe.kind === "unreachable") {
    return bad(
      "token",
      "Slack did not answer.",
      "Try again in a minute. If it goes on, the server may not reach slack.com.",
    );
  }
  if (probe.kind === "answered")
    return good("token", `Slack takes it, for the workspace ${probe.teamName || probe.teamId}.`);
  const { what, next } = SLACK_PROBLEMS[problemOf(probe.error) ?? "token_revoked"];
  return bad("token", what, next);
}

function permissions(probe: Probe): CheckItem[] {
  if (probe.kind !== "answered") return [];
  const missing = missingIn(probe.scopes);
  if (missing.length === 0) return [good("permissions", "All that is needed.")];
  const named = missing.map((scope) => `${scope} (${SLACK_BOT_SCOPES[scope]})`).join(", ");
  return [
    bad(
      "permissions",
      `Missing: ${named}.`,
      "Add them on the Slack app's page, OAuth & Permissions, then connect again.",
    ),
  ];
}

function channel({ channelId }: Workspace, probe: Probe): CheckItem[] {
  if (probe.kind !== "answered") return [];
  const problem = problemIn({ channelId } as Workspace, probe);
  if (problem !== null && problem !== "missing_scope") {
    const { what, next } = SLACK_PROBLEMS[problem];
    return [bad("channel", what, next)];
  }
  if (probe.channel.kind === "refused") return [];
  return [
    probe.channel.isOpen
      ? bad(
          "channel",
          "It is public or shared, so it gets links and never what is asked.",
          "To decide in Slack, choose a private channel that is not shared.",
        )
      : good("channel", "Private, and the bot is in it."),
  ];
}

function calls({ lastCallAt }: Workspace): CheckItem {
  if (lastCallAt !== null) return good("calls from Slack", `The last one came ${minuteOf(lastCallAt)}.`);
  const why =
    slackMode() === "socket"
      ? "Socket Mode, Interactivity and Event Subscriptions have to be on in the Slack app, and SLACK_APP_TOKEN has to be this app’s."
      : `Interactivity, the slash command and Event Subscriptions of the Slack app have to name ${slackEventsUrl(env().PUBLIC_URL)}, and SLACK_SIGNING_SECRET has to be this app's.`;
  return bad("calls from Slack", "None came yet.", `Type /countersign in Slack. If it fails: ${why}`);
}
