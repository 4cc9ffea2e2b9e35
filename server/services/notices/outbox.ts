import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { isAboutApprovals, isAboutSlack, NOTICE_KINDS, type NoticeKind } from "@/server/domain/notice";
import { command } from "@/server/services/command";
import { recipientsOf } from "@/server/services/notices/recipients";

/** Longer than one attempt can take. */
const LEASE = "60 seconds";
/** News of yesterday: the web app has it. */
const KEPT = "1 day";

/** A mail in the caller's hands until the lease ends. */
export type LeasedMail = {
  readonly notice: string;
  readonly memberId: string;
  readonly kind: NoticeKind;
  readonly subjectId: string;
  readonly email: string;
};

const rowSchema = z.object({
  notice: z.string(),
  member_id: z.string(),
  kind: z.enum(NOTICE_KINDS),
  subject_id: z.string(),
  is_old: z.boolean(),
  email: z.string(),
  approval_mails: z.boolean(),
  is_disabled: z.boolean(),
});
type Row = z.output<typeof rowSchema>;

const TAKE = `WITH due AS (
    SELECT n.notice, n.member_id, n.created_at < clock_timestamp() - $2::interval AS is_old FROM mail_notice n
    WHERE n.org_id = app.org_id() AND n.status = 'due' AND (n.lease_until IS NULL OR n.lease_until <= clock_timestamp())
    ORDER BY n.created_at, n.notice, n.member_id LIMIT 1 FOR UPDATE SKIP LOCKED),
  taken AS (
    UPDATE mail_notice n SET lease_until = clock_timestamp() + $1::interval, attempts = n.attempts + 1
    FROM due WHERE n.org_id = app.org_id() AND n.notice = due.notice AND n.member_id = due.member_id
    RETURNING n.notice, n.member_id, n.kind, n.subject_id, due.is_old)
  SELECT taken.*, m.email, m.approval_mails, m.disabled_at IS NOT NULL AS is_disabled FROM taken JOIN member m ON m.org_id = app.org_id() AND m.id = taken.member_id`;

/** Takes the oldest mail that is still called for, and drops what is not on the way; null where there is none for now. */
export const leaseMail = command({
  name: "notice.lease",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({}),
  run: (actor): Promise<LeasedMail | null> =>
    withOrgSql(actor.orgId, async (q) => {
      for (;;) {
        const { rows } = await q.query(TAKE, [LEASE, KEPT]);
        if (rows[0] === undefined) return null;
        const row = rowSchema.parse(rows[0]);
        const { notice, member_id: memberId, kind, subject_id: subjectId, email } = row;
        if (await isCalledFor(q, row)) return { notice, memberId, kind, subjectId, email };
        await end(q, { notice, memberId, status: "dropped" });
      }
    }),
});

/** Whether this person is still somebody to tell: what was decided, mended, taken away or turned off since is not mailed. */
async function isCalledFor(q: OrgSql, row: Row): Promise<boolean> {
  const { kind, subject_id: subjectId } = row;
  if (row.is_old || row.is_disabled || (isAboutApprovals(kind) && !row.approval_mails)) return false;
  if (isAboutSlack(kind) && !(await lasts(q, row))) return false;
  return (await recipientsOf(q, { kind, subjectId })).includes(row.member_id);
}

/** Whether the installation has the very problem that the notice names. */
async function lasts(q: OrgSql, { notice, kind, subject_id: teamId }: Row): Promise<boolean> {
  const column = kind === "slack_alerts_problem" ? "alerts_problem" : "problem";
  const { rows } = await q.query<{ problem: string }>(
    `SELECT ${column} AS problem FROM slack_workspace WHERE org_id = app.org_id() AND team_id = $1 AND ${column} IS NOT NULL`,
    [teamId],
  );
  return notice.split("/")[2]?.startsWith(`${rows[0]?.problem}@`) === true;
}

type Ended = { readonly notice: string; readonly memberId: string; readonly status: "sent" | "dropped" };

const end = (q: OrgSql, { notice, memberId, status }: Ended) =>
  q.query(
    `UPDATE mail_notice SET status = $3, lease_until = NULL, ended_at = clock_timestamp()
     WHERE org_id = app.org_id() AND notice = $1 AND member_id = $2 AND status = 'due'`,
    [notice, memberId, status],
  );

const key = { notice: z.string().max(200), memberId: z.string().max(50) };

/** Gives a leased mail back: sent, never to be sent, or to be tried again after longer each time. */
export const recordMail = command({
  name: "notice.record",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ ...key, outcome: z.enum(["sent", "dropped", "later"]) }),
  run: (actor, { notice, memberId, outcome }): Promise<void> =>
    withOrgSql(actor.orgId, async (q) => {
      if (outcome !== "later") {
        await end(q, { notice, memberId, status: outcome });
        return;
      }
      await q.query(
        `UPDATE mail_notice SET lease_until = clock_timestamp() + LEAST(600, 30 * power(2, LEAST(attempts, 10))) * interval '1 second'
         WHERE org_id = app.org_id() AND notice = $1 AND member_id = $2 AND status = 'due'`,
        [notice, memberId],
      );
    }),
});
