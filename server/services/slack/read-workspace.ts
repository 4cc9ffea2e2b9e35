import { dataKeySource } from "@/server/db/data-keys";
import { withOrgSql } from "@/server/db/with-org";
import { notFound } from "@/server/services/failures";
import { tokenBinding } from "@/server/services/slack/store-workspace";
import { vault } from "@/server/vault/for-org";
import type { Secret } from "@/server/vault/secret";

type Row = {
  team_id: string;
  name: string;
  bot_id: string;
  bot_user_id: string;
  channel_id: string | null;
  sealed_token: Buffer | null;
  version: number;
  last_call_at: Date | null;
  enterprise_id: string | null;
};

/** What is stored of an installation that stands, with its token where there is one. */
export type Workspace = {
  readonly teamId: string;
  readonly botId: string;
  readonly botUserId: string;
  readonly channelId: string | null;
  readonly version: number;
  readonly lastCallAt: Date | null;
  readonly token: Secret | null;
};

/** Reads an installation that was not removed. Throws AppError `not_found`, `vault_…`. */
export async function readWorkspace(orgId: string, teamId: string): Promise<Workspace> {
  const { rows } = await withOrgSql(orgId, (q) =>
    q.query<Row>("SELECT * FROM slack_workspace WHERE team_id = $1 AND removed_at IS NULL", [teamId]),
  );
  const [row] = rows;
  if (row === undefined) throw notFound("workspace");
  const { bot_id: botId, bot_user_id: botUserId, channel_id: channelId, version, last_call_at: lastCallAt } = row;
  const binding = tokenBinding(orgId, teamId, version);
  const token = row.sealed_token === null ? null : await vault().openSecret(dataKeySource, binding, row.sealed_token);
  return { teamId, botId, botUserId, channelId, version, lastCallAt, token };
}
