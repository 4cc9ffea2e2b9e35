import { createHash } from "node:crypto";
import { mailServerOf } from "@/server/connectors/smtp/mail-server";
import { type NoticeMail, type Posted, postNotice } from "@/server/connectors/smtp/notify";
import { findMailsDue } from "@/server/db/system";
import { domainOf } from "@/server/domain/destination";
import { noticeText } from "@/server/domain/notice";
import { env } from "@/server/env";
import { errorFields, log } from "@/server/log";
import { type LeasedMail, leaseMail, recordMail } from "@/server/services/notices/outbox";
import { systemActor } from "@/server/services/system-actor";

const JOB = "mail-notices";
/** What one call sends at most; the next finds the rest. */
const MOST = 200;

/** How a mail goes out; tests name a certificate of their own. */
export type Post = (mail: NoticeMail) => Promise<Posted>;

/** The deployment's mail server; null where the operator named none. */
function configured(): { readonly from: string; readonly post: Post } | null {
  const { NOTIFY_SMTP_URL: url, NOTIFY_FROM: from } = env();
  if (url === undefined || from === undefined) return null;
  const server = mailServerOf(url, from);
  return { from, post: (mail) => postNotice(server, mail) };
}

const OUTCOMES = { sent: "sent", refused: "dropped", later: "later", down: "later" } as const;

/** The same whenever this mail is sent, and without a word of what it is about. */
const messageIdOf = (orgId: string, { notice, memberId }: LeasedMail, from: string): string => {
  const hash = createHash("sha256").update([orgId, notice, memberId].join("\n"), "utf8").digest("hex");
  return `<notice-${hash.slice(0, 40)}@${domainOf(from)}>`;
};

/**
 * Mails what an organization's people are to be told, the oldest first. A crash between the server's yes and our record
 * sends a mail again under the same Message-ID: a notice that is lost would be worse. False where the server takes
 * nothing now; the rest waits.
 */
export async function deliverMails(orgId: string, post?: Post): Promise<boolean> {
  const server = configured();
  if (server === null) return false;
  const actor = systemActor(orgId, JOB);
  for (let count = 0; count < MOST; count += 1) {
    const leased = await leaseMail(actor, {});
    if (leased === null) return true;
    const { notice, memberId, kind, subjectId, email } = leased;
    const words = noticeText(kind, subjectId, env().PUBLIC_URL);
    const posted = await (post ?? server.post)({
      to: email,
      ...words,
      messageId: messageIdOf(orgId, leased, server.from),
    });
    if (posted.kind !== "sent") log.warn({ organizationId: orgId, kind, code: posted.code }, "a notice was not mailed");
    await recordMail(actor, { notice, memberId, outcome: OUTCOMES[posted.kind] });
    if (posted.kind === "down") return false;
  }
  return true;
}

/** The same for every organization with something to mail, until the server takes no more. Never throws. */
export async function sweepMails(post?: Post): Promise<number> {
  const due = await findMailsDue();
  for (const organizationId of due) {
    try {
      if (!(await deliverMails(organizationId, post))) break;
    } catch (error) {
      log.warn({ organizationId, ...errorFields(error) }, "notices were left for later");
    }
  }
  return due.length;
}
