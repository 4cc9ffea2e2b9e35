import { z } from "zod";
import { inspectWorkspace } from "@/server/connectors/slack/inspect";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { versionSchema } from "@/server/domain/version";
import { env } from "@/server/env";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { changedMeanwhile } from "@/server/services/failures";
import { readWorkspace } from "@/server/services/slack/read-workspace";
import { channelIdSchema, teamIdSchema } from "@/server/services/slack/slack-ids";

/** The answer, as OpenAPI describes it. */
export const alertsChannelSchema = z.strictObject({
  teamId: z.string(),
  channelId: z.string().nullable(),
  isOpenChannel: z.boolean().nullable().describe("A public or shared channel is told without names."),
});

/**
 * Chooses the channel in which changes of controls and rules are told, or none: then what is still to be told is dropped.
 * Throws `slack_refused`, `stale_version`.
 */
export const chooseAlertsChannel = command({
  name: "slack.choose_alerts_channel",
  callers: ["member"],
  permission: "organization:manage",
  input: z.strictObject({ teamId: teamIdSchema, version: versionSchema, channelId: channelIdSchema.nullable() }),
  run: async (actor, { teamId, version, channelId }) => {
    const isOpenChannel = channelId === null ? null : await inspect(actor.orgId, teamId, channelId);
    return withOrgSql(actor.orgId, async (q) => {
      // The version is part of what the token is sealed for: it stays.
      const { rows } = await q.query<{ at: Date }>(
        `UPDATE slack_workspace SET alerts_channel_id = $3, alerts_problem = NULL
         WHERE team_id = $1 AND version = $2 AND removed_at IS NULL RETURNING clock_timestamp() AS at`,
        [teamId, version, channelId],
      );
      const [row] = rows;
      if (row === undefined) throw changedMeanwhile("workspace");
      if (channelId === null) await dropDue(q, teamId);
      const open = isOpenChannel === null ? {} : { isOpenChannel };
      const fields = { team: teamId, channel: channelId ?? "none", ...open };
      await auditSql(q, { type: "slack.alerts_channel_chosen", actor, at: row.at, fields });
      return { teamId, channelId, isOpenChannel };
    });
  },
});

async function inspect(orgId: string, teamId: string, channelId: string): Promise<boolean> {
  const { token } = await readWorkspace(orgId, teamId);
  if (token === null) throw new AppError("refused", "Connect the workspace again first.", { reason: "slack_refused" });
  const found = await inspectWorkspace({ token: token.expose(), channelId, apiUrl: env().SLACK_API_URL });
  return found.isOpenChannel;
}

const dropDue = (q: OrgSql, teamId: string) =>
  q.query("UPDATE slack_alert SET status = 'dropped' WHERE team_id = $1 AND status = 'due'", [teamId]);
