import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import type { SystemActor } from "@/server/domain/actor";
import { idOf } from "@/server/domain/ids";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";

type Row = { request_id: string; now: Date };

/** Ends an approval whose time is over, by the database's clock; it counts as rejected. False where there was nothing to end. */
export const expireApproval = command({
  name: "approval.expire",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ approvalId: idOf("approval") }),
  run: (actor: SystemActor, { approvalId }): Promise<boolean> =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<Row>(
        `UPDATE approval SET status = 'expired', decided_at = clock_timestamp()
         WHERE org_id = app.org_id() AND id = $1 AND status = 'pending' AND NOT is_held AND expires_at <= clock_timestamp()
         RETURNING request_id, clock_timestamp() AS now`,
        [approvalId],
      );
      const [row] = rows;
      if (row === undefined) return false;
      const request = await q.query<{ action: string; agent_id: string; session_id: string }>(
        `UPDATE tool_request SET status = 'expired', version = version + 1, updated_at = clock_timestamp(), finished_at = clock_timestamp()
         WHERE org_id = app.org_id() AND id = $1 AND status = 'pending' RETURNING action, agent_id, session_id`,
        [row.request_id],
      );
      const [ended] = request.rows;
      if (ended === undefined) return true;
      await auditSql(q, {
        type: "request.expired",
        actor,
        at: row.now,
        requestId: row.request_id,
        agentId: ended.agent_id,
        sessionId: ended.session_id,
        fields: { action: ended.action, approval: approvalId },
      });
      await q.query("SELECT app.tell('approval', $1), app.tell('request', $2)", [approvalId, row.request_id]);
      return true;
    }),
});
