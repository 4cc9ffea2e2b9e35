import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { tellPeople } from "@/server/services/people/tell-people";

type Row = { request_id: string; now: Date; action: string };

/** When people are reminded next of what does not expire, in SQL over `approval a`. */
export const REMINDS_HOURLY = "COALESCE(a.reminded_at, a.created_at) + interval '1 hour'";

/**
 * Reminds people of an approval that still waits: once, or every hour where it does not expire. The row remembers, so
 * of many callers one reminds. False where there was nothing to remind of.
 */
export const remindApproval = command({
  name: "approval.remind",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ approvalId: idOf("approval") }),
  run: async (actor, { approvalId }): Promise<boolean> => {
    const row = await withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<Row>(
        `UPDATE approval a SET reminded_at = clock_timestamp() FROM tool_request r
         WHERE a.org_id = app.org_id() AND a.id = $1 AND a.status = 'pending' AND NOT a.is_held
           AND CASE WHEN a.expires_at IS NULL THEN ${REMINDS_HOURLY} <= clock_timestamp() ELSE a.reminded_at IS NULL END
           AND r.org_id = a.org_id AND r.id = a.request_id
         RETURNING a.request_id, r.action, clock_timestamp() AS now`,
        [approvalId],
      );
      const [reminded] = rows;
      if (reminded === undefined) return null;
      const fields = { approval: approvalId, action: reminded.action };
      await auditSql(q, { type: "approval.reminded", actor, at: reminded.now, requestId: reminded.request_id, fields });
      return reminded;
    });
    if (row === null) return false;
    await tellPeople({ kind: "approval_reminder", organizationId: actor.orgId, approvalId, requestId: row.request_id });
    return true;
  },
});
