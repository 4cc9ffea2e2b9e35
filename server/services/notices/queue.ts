import type { OrgSql } from "@/server/db/with-org";
import type { NoticeKind } from "@/server/domain/notice";
import { env } from "@/server/env";

/** Something that people are to be mailed about, once each. */
export type DueNotice = {
  readonly kind: NoticeKind;
  readonly subjectId: string;
  /** What makes it another one: a role, a time. */
  readonly instance?: string;
  readonly memberIds: readonly string[];
};

/** Whether the operator named a mail server. */
export const hasMailServer = (): boolean => env().NOTIFY_SMTP_URL !== undefined;

/** Puts mails down with whatever they tell of; what is there already stays as it is. Nothing without a mail server. */
export async function queueMails(q: OrgSql, { kind, subjectId, instance, memberIds }: DueNotice): Promise<void> {
  if (!hasMailServer() || memberIds.length === 0) return;
  const notice = [kind, subjectId, ...(instance === undefined ? [] : [instance])].join("/");
  await q.query(
    `INSERT INTO mail_notice (org_id, notice, member_id, kind, subject_id)
     SELECT app.org_id(), $1, m.id, $2, $3 FROM member m WHERE m.org_id = app.org_id() AND m.id = ANY ($4) AND m.disabled_at IS NULL
     ON CONFLICT DO NOTHING`,
    [notice, kind, subjectId, memberIds],
  );
}
