import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { command } from "@/server/services/command";
import { hasMailServer, queueMails } from "@/server/services/notices/queue";
import { recipientsOf } from "@/server/services/notices/recipients";

const input = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.enum(["approval_requested", "approval_reminder", "approval_escalated", "approval_ended"]),
    subjectId: idOf("approval"),
  }),
  z.strictObject({ kind: z.literal("outcome_unknown"), subjectId: idOf("toolRequest") }),
]);

// What makes a second reminder, or a second role that is called, another notice.
const INSTANCE = `SELECT CASE $2 WHEN 'approval_reminder' THEN (extract(epoch FROM reminded_at) * 1000)::bigint::text
  WHEN 'approval_escalated' THEN escalated_to END AS instance FROM approval WHERE org_id = app.org_id() AND id = $1`;

/** Puts down whom to mail about something, as things stand. Telling the same again mails nobody twice. */
export const queueNotice = command({
  name: "notice.queue",
  callers: ["system"],
  permission: "system:run",
  input,
  run: async (actor, { kind, subjectId }): Promise<void> => {
    if (!hasMailServer()) return;
    await withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<{ instance: string | null }>(INSTANCE, [subjectId, kind]);
      const instance = rows[0]?.instance;
      const memberIds = await recipientsOf(q, { kind, subjectId });
      await queueMails(q, { kind, subjectId, memberIds, ...(instance ? { instance } : {}) });
      if (kind === "approval_requested" || kind === "approval_reminder") await queueStuck(q, subjectId);
    });
  },
});

/** What nobody can approve is told once, as soon as that is seen. */
async function queueStuck(q: OrgSql, subjectId: string): Promise<void> {
  const kind = "approval_stuck";
  await queueMails(q, { kind, subjectId, memberIds: await recipientsOf(q, { kind, subjectId }) });
}
