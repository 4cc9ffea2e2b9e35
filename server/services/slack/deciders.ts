import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { command } from "@/server/services/command";

/** Somebody of a connected workspace. */
export type PersonThere = { readonly teamId: string; readonly userId: string };

/** Who decided an approval, as people of the workspaces that are connected. */
export const listDeciders = command({
  name: "slack.list_deciders",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ approvalId: idOf("approval") }),
  run: async (actor, { approvalId }): Promise<readonly PersonThere[]> => {
    const { rows } = await withOrgSql(actor.orgId, (q) =>
      q.query<{ team_id: string; user_id: string }>(
        `SELECT DISTINCT l.team_id, l.user_id FROM decision d
         JOIN slack_link l ON l.org_id = d.org_id AND l.member_id = d.member_id
         JOIN slack_workspace w ON w.org_id = l.org_id AND w.team_id = l.team_id AND w.removed_at IS NULL AND w.sealed_token IS NOT NULL
         WHERE d.org_id = app.org_id() AND d.approval_id = $1 ORDER BY 1, 2`,
        [approvalId],
      ),
    );
    return rows.map((row) => ({ teamId: row.team_id, userId: row.user_id }));
  },
});
