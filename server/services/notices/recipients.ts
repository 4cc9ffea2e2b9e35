import type { OrgSql } from "@/server/db/with-org";
import { isAboutSlack, type NoticeKind } from "@/server/domain/notice";
import { approverRoleSchema } from "@/server/domain/roles";
import { peopleCalled } from "@/server/services/approvals/called";
import { requestersOf } from "@/server/services/approvals/requesters";

const HAS_SLACK = `SELECT EXISTS (SELECT 1 FROM slack_workspace WHERE removed_at IS NULL AND sealed_token IS NOT NULL
  AND channel_id IS NOT NULL AND problem IS NULL) AS has`;

/** Whether approvals reach people in Slack: mails are for where they do not. */
async function reachesSlack(q: OrgSql): Promise<boolean> {
  const { rows } = await q.query<{ has: boolean }>(HAS_SLACK);
  return rows[0]?.has === true;
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
async function managers(q: OrgSql): Promise<readonly string[]> {
  const { rows } = await q.query<{ id: string }>(
    "SELECT id FROM member WHERE org_id = app.org_id() AND role IN ('admin', 'owner') AND disabled_at IS NULL AND password_hash IS NOT NULL",
  );
  return rows.map(({ id }) => id);
}

type About = { readonly kind: NoticeKind; readonly subjectId: string };

/** Whom a notice is for as things stand: those who could decide, those who asked, or those who manage. */
export async function recipientsOf(q: OrgSql, { kind, subjectId }: About): Promise<readonly string[]> {
  if (isAboutSlack(kind)) return managers(q);
  if (await reachesSlack(q)) return [];
  switch (kind) {
    case "approval_requested":
    case "approval_reminder":
    case "approval_escalated":
      return called(q, subjectId, kind);
    case "approval_ended":
      return [...(await requestersOf(q, await requestOf(q, subjectId)))];
    case "outcome_unknown":
      return [...new Set([...(await requestersOf(q, subjectId)), ...(await managers(q))])];
  }
}

async function requestOf(q: OrgSql, approvalId: string): Promise<string> {
  const { rows } = await q.query<{ request_id: string }>(
    "SELECT request_id FROM approval WHERE org_id = app.org_id() AND id = $1",
    [approvalId],
  );
  if (rows[0] === undefined) throw new Error("a notice is about an approval of the organization");
  return rows[0].request_id;
}
