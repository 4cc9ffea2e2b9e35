import { z } from "zod";
import { inspectWorkspace } from "@/server/connectors/slack/inspect";
import { dataKeysOfSql } from "@/server/db/data-keys";
import { isUniqueViolation } from "@/server/db/unique";
import { withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { env } from "@/server/env";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { channelIdSchema } from "@/server/services/slack/slack-ids";
import { sealForOrg } from "@/server/vault/for-org";

const input = z.strictObject({
  token: z
    .string()
    .max(300)
    .regex(/^xoxb-[A-Za-z0-9-]+$/, "must be a bot's token, xoxb-…"),
  channelId: channelIdSchema,
});

export const tokenBinding = (orgId: string, teamId: string, version: number) => ({
  orgId,
  record: teamId,
  version,
  kind: "slack_token",
});

/**
 * Connects the workspace that the bot's token belongs to, or changes its token and channel. Slack itself says which
 * workspace that is. One that another organization connected stays theirs. Throws `slack_refused`, `already_exists`.
 */
export const connectSlack = command({
  name: "slack.connect",
  callers: ["member"],
  permission: "organization:manage",
  input,
  run: async (actor, { token, channelId }) => {
    const found = await inspectWorkspace({ token, channelId, apiUrl: env().SLACK_API_URL });
    const { teamId, name, botId, botUserId, isOpenChannel } = found;
    const store = () =>
      withOrgSql(actor.orgId, async (q) => {
        const { rows } = await q.query<{ version: number; at: Date }>(
          `INSERT INTO slack_workspace (org_id, team_id, name, bot_id, bot_user_id, channel_id, is_open_channel, connected_by)
           VALUES (app.org_id(), $1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (org_id, team_id) DO UPDATE SET name = excluded.name, bot_id = excluded.bot_id, bot_user_id = excluded.bot_user_id,
             channel_id = excluded.channel_id, is_open_channel = excluded.is_open_channel, version = slack_workspace.version + 1,
             connected_by = excluded.connected_by, connected_at = clock_timestamp(), removed_at = NULL
           RETURNING version, connected_at AS at`,
          [teamId, name.slice(0, 200), botId, botUserId, channelId, isOpenChannel, actor.memberId],
        );
        const [row] = rows;
        if (row === undefined) throw new Error("the workspace was not stored");
        const sealed = await sealForOrg(
          dataKeysOfSql(q),
          tokenBinding(actor.orgId, teamId, row.version),
          Buffer.from(token, "utf8"),
        );
        await q.query("UPDATE slack_workspace SET sealed_token = $2 WHERE team_id = $1", [teamId, sealed]);
        const fields = { team: teamId, channel: channelId, isOpenChannel, version: row.version };
        await auditSql(q, { type: "slack.connected", actor, at: row.at, fields });
        return { teamId, channelId, isOpenChannel };
      });
    try {
      return await store();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError("conflict", "Another organization has connected this workspace.", {
        reason: "already_exists",
      });
    }
  },
});

/** The answer, as OpenAPI describes it. */
export const connectedSlackSchema = z.strictObject({
  teamId: z.string(),
  channelId: z.string(),
  isOpenChannel: z.boolean().describe("A public or shared channel gets links, never what is asked."),
});
