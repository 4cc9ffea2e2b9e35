import type { OrgSql } from "@/server/db/with-org";
import type { AuditActor } from "@/server/domain/audit";
import { auditSql } from "@/server/services/audit/record";

type Link = { readonly teamId: string; readonly userId: string; readonly memberId: string; readonly at: Date };

/**
 * Links a person of a workspace to a member, in place of any link that either had, whose end is in the log too. Inside
 * the caller's transaction.
 */
export async function storeLink(q: OrgSql, actor: AuditActor, { teamId, userId, memberId, at }: Link): Promise<void> {
  const { rows: ended } = await q.query<{ user_id: string; member_id: string }>(
    "DELETE FROM slack_link WHERE team_id = $1 AND (user_id = $2 OR member_id = $3) RETURNING user_id, member_id",
    [teamId, userId, memberId],
  );
  await q.query("INSERT INTO slack_link (org_id, team_id, user_id, member_id) VALUES (app.org_id(), $1, $2, $3)", [
    teamId,
    userId,
    memberId,
  ]);
  const entryOf = (type: "slack.linked" | "slack.unlinked", member: string, user: string) => ({
    type,
    actor,
    at,
    personId: member,
    fields: { team: teamId, member },
    personal: { address: `${teamId}/${user}` },
  });
  await auditSql(q, [
    ...ended.map((link) => entryOf("slack.unlinked", link.member_id, link.user_id)),
    entryOf("slack.linked", memberId, userId),
  ]);
}
