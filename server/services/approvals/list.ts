import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { cutPage, pageOf } from "@/server/domain/page";
import { type ApprovalView, readApprovals, readUndoSeconds, toView } from "@/server/services/approvals/read-model";
import { WAITS_FOR } from "@/server/services/approvals/waits-for";
import { command } from "@/server/services/command";

const STATUSES = ["pending", "approved", "rejected", "expired", "voided", "withdrawn"] as const;

const FOR_ME = `EXISTS (SELECT 1 FROM member m WHERE m.org_id = a.org_id AND m.id = $1 AND ${WAITS_FOR})`;

/** Approvals of one status: those that wait, oldest first; others newest first. */
export const listApprovals = command({
  name: "approval.list",
  callers: ["member"],
  permission: "approval:read",
  input: z.strictObject({
    status: z.enum(STATUSES).default("pending"),
    /** Of those that wait, the ones that the caller can decide now. */
    forMe: z.boolean().default(false),
    ...pageOf("approval"),
  }),
  run: async (actor, { status, forMe, limit, cursor }) => {
    const isQueue = status === "pending";
    const { rows, undoS } = await withOrgSql(actor.orgId, async (q) => ({
      rows: await readApprovals(
        q,
        actor,
        `a.status = $2 AND ${forMe ? FOR_ME : "true"} AND ($3::text IS NULL OR a.id ${isQueue ? ">" : "<"} $3) ORDER BY a.id ${isQueue ? "ASC" : "DESC"} LIMIT $4`,
        [status, cursor ?? null, limit + 1],
      ),
      undoS: await readUndoSeconds(q),
    }));
    const page = cutPage(rows, limit);
    const items: ApprovalView[] = await Promise.all(page.items.map((row) => toView(actor.orgId, actor, row, undoS)));
    return { items, nextCursor: page.nextCursor };
  },
});
