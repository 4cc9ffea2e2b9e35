import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { command } from "@/server/services/command";
import { readWorkspace } from "@/server/services/slack/read-workspace";
import { teamIdSchema } from "@/server/services/slack/slack-ids";

/** Where the card of an approval belongs, or still is. */
export type Place = { readonly teamId: string; readonly channelId: string };

/** The channel of every connected workspace, and whichever other ones a card was posted to. */
export const listPlaces = command({
  name: "slack.list_places",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ approvalId: idOf("approval") }),
  run: async (actor, { approvalId }): Promise<readonly Place[]> => {
    const { rows } = await withOrgSql(actor.orgId, (q) =>
      q.query<{ team_id: string; channel_id: string }>(
        `SELECT team_id, channel_id FROM slack_workspace WHERE removed_at IS NULL AND sealed_token IS NOT NULL AND channel_id IS NOT NULL
         UNION SELECT c.team_id, c.channel_id FROM slack_card c JOIN slack_workspace w ON w.team_id = c.team_id AND w.removed_at IS NULL AND w.sealed_token IS NOT NULL
           WHERE c.approval_id = $1 AND c.ts IS NOT NULL ORDER BY 1, 2`,
        [approvalId],
      ),
    );
    return rows.map((row) => ({ teamId: row.team_id, channelId: row.channel_id }));
  },
});

/** What talking to a connected workspace takes. Throws `not_found`, `vault_…`. */
export const openWorkspace = command({
  name: "slack.open_workspace",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ teamId: teamIdSchema }),
  run: async (actor, { teamId }) => {
    const { token, ...workspace } = await readWorkspace(actor.orgId, teamId);
    if (token === null) throw new AppError("not_found", "There is no such workspace.");
    return { ...workspace, token };
  },
});
