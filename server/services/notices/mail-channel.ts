import { deliverMails } from "@/server/services/notices/deliver";
import { queueNotice } from "@/server/services/notices/queue-notice";
import type { Channel, Notice } from "@/server/services/people/notice";
import { systemActor } from "@/server/services/system-actor";

/** Mail to people whom approvals do not reach in Slack: put down first, sent then, and tried again by durable work. */
export const mailChannel: Channel = {
  name: "mail",
  tell: async (notice) => {
    await queueNotice(systemActor(notice.organizationId, "mail-notices"), about(notice));
    await deliverMails(notice.organizationId);
  },
};

const about = (notice: Notice) =>
  "approvalId" in notice
    ? { kind: notice.kind, subjectId: notice.approvalId }
    : { kind: notice.kind, subjectId: notice.requestId };
