import type { OrgSql } from "@/server/db/with-org";
import type { AuditActor } from "@/server/domain/audit";
import { auditSql } from "@/server/services/audit/record";

type Link = { readonly teamId: string; readonly userId: string; readonly memberId: string; readonly at: Date };

/** Links a person of a workspace to a member, in place of any link that either had. Inside the caller's transaction. */
export async function storeLink(q: OrgSql, actor: AuditActor, { teamId, userId, memberId, at }: Link): Promise<void> {
  await q.query("DELETE FROM slack_link WHERE team_id = $1 AND (user_id = $2 OR member_id = $3)", [
    teamId,
    userId,
    memberId,
  ]);
  await q.query("INSERT INTO slack_link (org_id, team_id, user_id, member_id) VALUES (app.org_id(), $1, $2, $3)", [
    teamId,
    userId,
    memberId,
  ]);
  const personal = { address: `${teamId}/${userId}` };
  await auditSql(q, {
    type: "slack.linked",
    actor,
    at,
    personId: memberId,
    fields: { team: teamId, member: memberId },
    personal,
  });
}
