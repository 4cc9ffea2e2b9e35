import { dataKeysOfSql } from "@/server/db/data-keys";
import { isUniqueViolation } from "@/server/db/unique";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { auditSql } from "@/server/services/audit/record";
import { sealForOrg } from "@/server/vault/for-org";

export const tokenBinding = (orgId: string, teamId: string, version: number) => ({
  orgId,
  record: teamId,
  version,
  kind: "slack_token",
});

/** An installation as Slack confirmed it. Without a channel it keeps the one it had. */
export type Confirmed = {
  readonly token: string;
  readonly teamId: string;
  readonly name: string;
  readonly botId: string;
  readonly botUserId: string;
  readonly enterpriseId?: string | null;
  readonly appId?: string | null;
  readonly channel?: { readonly id: string; readonly isOpen: boolean };
};

type Row = { version: number; at: Date; channel_id: string | null; is_open_channel: boolean };

const UPSERT = `INSERT INTO slack_workspace (org_id, team_id, name, bot_id, bot_user_id, channel_id, is_open_channel, connected_by, enterprise_id, app_id, problem, problem_at)
  VALUES (app.org_id(), $1, $2, $3, $4, $5::text, COALESCE($6, true), $7, $8, $9, CASE WHEN $5::text IS NULL THEN 'no_channel' END, CASE WHEN $5::text IS NULL THEN clock_timestamp() END)
  ON CONFLICT (org_id, team_id) DO UPDATE SET name = excluded.name, bot_id = excluded.bot_id, bot_user_id = excluded.bot_user_id,
    channel_id = COALESCE(excluded.channel_id, slack_workspace.channel_id),
    is_open_channel = CASE WHEN excluded.channel_id IS NULL THEN slack_workspace.is_open_channel ELSE excluded.is_open_channel END,
    version = slack_workspace.version + 1, connected_by = excluded.connected_by, connected_at = clock_timestamp(), removed_at = NULL,
    enterprise_id = COALESCE(excluded.enterprise_id, slack_workspace.enterprise_id), app_id = COALESCE(excluded.app_id, slack_workspace.app_id),
    problem = CASE WHEN COALESCE(excluded.channel_id, slack_workspace.channel_id) IS NULL THEN 'no_channel' END,
    problem_at = CASE WHEN COALESCE(excluded.channel_id, slack_workspace.channel_id) IS NULL THEN clock_timestamp() END
  RETURNING version, connected_at AS at, channel_id, is_open_channel`;

/**
 * Stores an installation with its token sealed, or replaces what it was. One that another organization connected stays
 * theirs. Throws AppError `already_exists`.
 */
export async function storeWorkspace(actor: MemberActor, confirmed: Confirmed) {
  try {
    return await withOrgSql(actor.orgId, (q) => store(q, actor, confirmed));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("conflict", "Another organization has connected this workspace.", { reason: "already_exists" });
  }
}

async function store(q: OrgSql, actor: MemberActor, confirmed: Confirmed) {
  const { token, teamId, name, botId, botUserId, enterpriseId = null, appId = null, channel } = confirmed;
  const { rows } = await q.query<Row>(UPSERT, [
    teamId,
    name.slice(0, 200),
    botId,
    botUserId,
    channel?.id ?? null,
    channel?.isOpen ?? null,
    actor.memberId,
    enterpriseId,
    appId,
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error("the workspace was not stored");
  const binding = tokenBinding(actor.orgId, teamId, row.version);
  const sealed = await sealForOrg(dataKeysOfSql(q), binding, Buffer.from(token, "utf8"));
  await q.query("UPDATE slack_workspace SET sealed_token = $2 WHERE team_id = $1", [teamId, sealed]);
  const { channel_id: channelId, is_open_channel: isOpenChannel, version } = row;
  const fields = { team: teamId, channel: channelId ?? "none", isOpenChannel, version };
  await auditSql(q, { type: "slack.connected", actor, at: row.at, fields });
  return { teamId, channelId, isOpenChannel };
}
