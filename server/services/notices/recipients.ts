import type { OrgSql } from "@/server/db/with-org";
import { isAboutSlack, type NoticeKind } from "@/server/domain/notice";
import { approverRoleSchema, type Role } from "@/server/domain/roles";
import { peopleCalled } from "@/server/services/approvals/called";
import { requestersOf } from "@/server/services/approvals/requesters";
import { whoCouldApprove } from "@/server/services/approvals/who-could";

const IN_SLACK = `SELECT DISTINCT l.member_id AS id FROM slack_link l JOIN slack_workspace w ON w.org_id = l.org_id AND w.team_id = l.team_id
  WHERE l.org_id = app.org_id() AND w.removed_at IS NULL AND w.sealed_token IS NOT NULL AND w.channel_id IS NOT NULL AND w.problem IS NULL`;

/** Those whom approvals do not reach in Slack: who is linked in a workspace that takes cards has them there. */
async function withoutSlack(q: OrgSql, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await q.query<{ id: string }>(IN_SLACK);
  const reached = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !reached.has(id));
}

/** Who is called at the stage at which the approval is; nobody once it waits no longer or is held. */
async function called(q: OrgSql, approvalId: string, kind: NoticeKind): Promise<readonly string[]> {
  const { rows } = await q.query<{ stage: string }>(
    `SELECT COALESCE(escalated_to, required_role) AS stage FROM approval
     WHERE org_id = app.org_id() AND id = $1 AND status = 'pending' AND NOT is_held`,
    [approvalId],
  );
  if (rows[0] === undefined) return [];
  const stage = approverRoleSchema.parse(rows[0].stage);
  const people = await peopleCalled(q, approvalId, { stage, alone: kind === "approval_escalated" });
  return people.map(({ id }) => id);
}

/** Those who run the organization and have a way in. */
async function managers(q: OrgSql, roles: readonly Role[] = ["admin", "owner"]): Promise<readonly string[]> {
  const { rows } = await q.query<{ id: string }>(
    "SELECT id FROM member WHERE org_id = app.org_id() AND role = ANY ($1) AND disabled_at IS NULL AND password_hash IS NOT NULL",
    [roles],
  );
  return rows.map(({ id }) => id);
}

type About = { readonly kind: NoticeKind; readonly subjectId: string };

/** Whom a notice is for as things stand: those who could decide, those who asked, or those who manage. */
export async function recipientsOf(q: OrgSql, { kind, subjectId }: About): Promise<readonly string[]> {
  if (isAboutSlack(kind)) return managers(q);
  switch (kind) {
    case "approval_requested":
    case "approval_reminder":
    case "approval_escalated":
      return withoutSlack(q, await called(q, subjectId, kind));
    case "approval_ended":
      return withoutSlack(q, [...(await requestersOf(q, await requestOf(q, subjectId)))]);
    case "approval_stuck":
      return stuckOn(q, subjectId);
    case "outcome_unknown":
      return withoutSlack(q, [...new Set([...(await requestersOf(q, subjectId)), ...(await managers(q))])]);
  }
}

/** Owners, and those who asked, while nobody can approve it: in Slack nobody is told of that. */
async function stuckOn(q: OrgSql, approvalId: string): Promise<readonly string[]> {
  const who = (await whoCouldApprove(q, [approvalId])).get(approvalId);
  if (who === undefined || who.nobody === null) return [];
  const asked = await requestersOf(q, await requestOf(q, approvalId));
  return [...new Set([...asked, ...(await managers(q, ["owner"]))])];
}

async function requestOf(q: OrgSql, approvalId: string): Promise<string> {
  const { rows } = await q.query<{ request_id: string }>(
    "SELECT request_id FROM approval WHERE org_id = app.org_id() AND id = $1",
    [approvalId],
  );
  if (rows[0] === undefined) throw new Error("a notice is about an approval of the organization");
  return rows[0].request_id;
}
