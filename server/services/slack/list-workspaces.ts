import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import type { SlackMode } from "@/server/domain/slack-app";
import { problemWords } from "@/server/domain/slack-problem";
import { env } from "@/server/env";
import { command } from "@/server/services/command";
import { hasSlackApp, slackMode } from "@/server/services/slack/slack-app";
import { type SocketState, socketState } from "@/server/services/slack/socket-state";

const time = z.iso.datetime();
const workspaceSchema = z.strictObject({
  teamId: z.string().describe("The workspace, or the Enterprise Grid that the app was installed for as a whole."),
  name: z.string(),
  enterpriseId: z.string().nullable(),
  version: z.int(),
  channelId: z.string().nullable(),
  isOpenChannel: z.boolean().describe("A public or shared channel gets links, never what is asked."),
  connectedBy: z.string(),
  connectedAt: time,
  removedAt: time.nullable(),
  lastCallAt: time.nullable().describe("When Slack last called for this workspace, to the minute."),
  problem: z.strictObject({ code: z.string(), what: z.string(), next: z.string(), at: time.nullable() }).nullable(),
  cards: z.strictObject({
    waiting: z.int().describe("Cards in Slack that wait for a decision."),
    behind: z.int().describe("Approvals that wait and have no card there yet."),
    lastAt: time.nullable(),
  }),
  people: z.int().describe("How many people are linked."),
  alerts: z.strictObject({
    channelId: z.string().nullable().describe("Where changes of controls and rules are told."),
    problem: z.strictObject({ code: z.string(), what: z.string(), next: z.string() }).nullable(),
    due: z.int().describe("Alerts that are not told yet."),
  }),
});

/** The answer, as OpenAPI describes it. */
export const slackWorkspacesSchema = z.strictObject({
  items: z.array(workspaceSchema),
  hasApp: z.boolean().describe("Whether the operator named the app at Slack, so that it can be installed from here."),
  mode: z.enum(["http", "socket"]).describe("How Slack calls: by requests, or over a socket that the server opens."),
  hasSigningSecret: z.boolean().describe("Whether Slack's requests are taken at all."),
  socket: z
    .strictObject({ isConnected: z.boolean(), since: time, fault: z.string().nullable() })
    .nullable()
    .describe("The socket of the server that answers; null where it has none."),
});

/** A connected workspace as admins see it. */
export type SlackWorkspaceView = {
  readonly teamId: string;
  readonly name: string;
  readonly enterpriseId: string | null;
  readonly version: number;
  readonly channelId: string | null;
  readonly isOpenChannel: boolean;
  readonly connectedBy: string;
  readonly connectedAt: Date;
  readonly removedAt: Date | null;
  readonly lastCallAt: Date | null;
  readonly problem: {
    readonly code: string;
    readonly what: string;
    readonly next: string;
    readonly at: Date | null;
  } | null;
  readonly cards: { readonly waiting: number; readonly behind: number; readonly lastAt: Date | null };
  readonly people: number;
  readonly alerts: {
    readonly channelId: string | null;
    readonly problem: { readonly code: string; readonly what: string; readonly next: string } | null;
    readonly due: number;
  };
};

export type SlackWorkspaces = {
  readonly items: readonly SlackWorkspaceView[];
  readonly hasApp: boolean;
  readonly mode: SlackMode;
  readonly hasSigningSecret: boolean;
  readonly socket: SocketState | null;
};

type Row = {
  team_id: string;
  name: string;
  enterprise_id: string | null;
  version: number;
  channel_id: string | null;
  is_open_channel: boolean;
  connected_by: string;
  connected_at: Date;
  removed_at: Date | null;
  last_call_at: Date | null;
  problem: string | null;
  problem_at: Date | null;
  waiting: number;
  behind: number;
  last_at: Date | null;
  people: number;
  alerts_channel_id: string | null;
  alerts_problem: string | null;
  alerts_due: number;
};

const SELECT = `SELECT w.team_id, w.name, w.enterprise_id, w.version, w.channel_id, w.is_open_channel,
    m.name AS connected_by, w.connected_at, w.removed_at, w.last_call_at, w.problem, w.problem_at, w.alerts_channel_id, w.alerts_problem,
    (SELECT count(*)::int FROM slack_alert s WHERE s.team_id = w.team_id AND s.status = 'due') AS alerts_due,
    (SELECT count(*)::int FROM slack_card c WHERE c.team_id = w.team_id AND c.status = 'pending') AS waiting,
    (SELECT count(*)::int FROM approval a LEFT JOIN slack_card c ON c.org_id = a.org_id AND c.approval_id = a.id AND c.team_id = w.team_id
      WHERE a.org_id = w.org_id AND a.status = 'pending' AND NOT a.is_held AND (c.ts IS NULL)) AS behind,
    (SELECT max(c.updated_at) FROM slack_card c WHERE c.team_id = w.team_id AND c.ts IS NOT NULL) AS last_at,
    (SELECT count(*)::int FROM slack_link l WHERE l.team_id = w.team_id) AS people
  FROM slack_workspace w JOIN member m ON m.org_id = w.org_id AND m.id = w.connected_by
  ORDER BY w.removed_at IS NOT NULL, w.name, w.team_id LIMIT 100`;

/** The workspaces that are or were connected, with what is delivered and what is wrong. */
export const listSlackWorkspaces = command({
  name: "slack.list_workspaces",
  callers: ["member"],
  permission: "organization:manage",
  input: z.strictObject({}),
  run: async (actor): Promise<SlackWorkspaces> => {
    const { rows } = await withOrgSql(actor.orgId, (q) => q.query<Row>(SELECT));
    return {
      items: rows.map(toView),
      hasApp: hasSlackApp(),
      mode: slackMode(),
      hasSigningSecret: env().SLACK_SIGNING_SECRET !== undefined,
      socket: socketState(),
    };
  },
});

const toView = (row: Row): SlackWorkspaceView => ({
  teamId: row.team_id,
  name: row.name,
  enterpriseId: row.enterprise_id,
  version: row.version,
  channelId: row.channel_id,
  isOpenChannel: row.is_open_channel,
  connectedBy: row.connected_by,
  connectedAt: row.connected_at,
  removedAt: row.removed_at,
  lastCallAt: row.last_call_at,
  problem: row.problem === null ? null : { code: row.problem, ...problemWords(row.problem), at: row.problem_at },
  cards: { waiting: row.waiting, behind: row.behind, lastAt: row.last_at },
  people: row.people,
  alerts: {
    channelId: row.alerts_channel_id,
    problem: row.alerts_problem === null ? null : { code: row.alerts_problem, ...problemWords(row.alerts_problem) },
    due: row.alerts_due,
  },
});
