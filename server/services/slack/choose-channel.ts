import { z } from "zod";
import { inspectWorkspace } from "@/server/connectors/slack/inspect";
import { withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { versionSchema } from "@/server/domain/version";
import { env } from "@/server/env";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { changedMeanwhile } from "@/server/services/failures";
import { readWorkspace } from "@/server/services/slack/read-workspace";
import { channelIdSchema, teamIdSchema } from "@/server/services/slack/slack-ids";

/**
 * Chooses the channel in which approvals are asked. Slack says whether the bot is in it and who can read it. What is
 * open in the old channel stays there. Throws `slack_refused`, `stale_version`.
 */
export const chooseSlackChannel = command({
  name: "slack.choose_channel",
  callers: ["member"],
  permission: "organization:manage",
  input: z.strictObject({ teamId: teamIdSchema, version: versionSchema, channelId: channelIdSchema }),
  run: async (actor, { teamId, version, channelId }) => {
    const { token } = await readWorkspace(actor.orgId, teamId);
    if (token === null)
      throw new AppError("refused", "Connect the workspace again first.", { reason: "slack_refused" });
    const found = await inspectWorkspace({ token: token.expose(), channelId, apiUrl: env().SLACK_API_URL });
    return withOrgSql(actor.orgId, async (q) => {
      // The version is part of what the token is sealed for: it stays.
      const { rows } = await q.query<{ at: Date }>(
        `UPDATE slack_workspace SET channel_id = $3, is_open_channel = $4, problem = NULL, problem_at = NULL
         WHERE team_id = $1 AND version = $2 AND removed_at IS NULL RETURNING clock_timestamp() AS at`,
        [teamId, version, channelId, found.isOpenChannel],
      );
      const [row] = rows;
      if (row === undefined) throw changedMeanwhile("workspace");
      const fields = { team: teamId, channel: channelId, isOpenChannel: found.isOpenChannel, version };
      await auditSql(q, { type: "slack.channel_chosen", actor, at: row.at, fields });
      return { teamId, channelId, isOpenChannel: found.isOpenChannel };
    });
  },
});
