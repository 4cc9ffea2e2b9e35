import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { approverRoleSchema } from "@/server/domain/roles";
import { nextStage, ofStage } from "@/server/domain/stages";
import { everybodyWhoCould } from "@/server/services/approvals/who-could";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { tellPeople } from "@/server/services/people/tell-people";

const dueSchema = z.object({ stage: approverRoleSchema, escalated_to: approverRoleSchema.nullable() });
type Moved = { request_id: string; action: string; now: Date };

/**
 * Passes what nobody decided on to the next role, each stage once: of many callers one finds the stage as it was. False
 * where nothing was due.
 */
export const escalateApproval = command({
  name: "approval.escalate",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ approvalId: idOf("approval") }),
  run: async (actor, { approvalId }): Promise<boolean> => {
    const requestId = await withOrgSql(actor.orgId, async (q) => {
      const due = await readDue(q, approvalId);
      if (due === null) return null;
      const people = await everybodyWhoCould(q, approvalId);
      const role = nextStage(people, due.stage);
      const moved = role === null ? null : await move(q, approvalId, due.escalated_to, role);
      if (role === null || moved === null) return null;
      const fields = { approval: approvalId, action: moved.action, role, people: ofStage(people, role).length };
      await auditSql(q, { type: "approval.escalated", actor, at: moved.now, requestId: moved.request_id, fields });
      await q.query("SELECT app.tell('approval', $1)", [approvalId]);
      return moved.request_id;
    });
    if (requestId === null) return false;
    await tellPeople({ kind: "approval_escalated", organizationId: actor.orgId, approvalId, requestId });
    return true;
  },
});

async function readDue(q: OrgSql, approvalId: string): Promise<z.output<typeof dueSchema> | null> {
  const { rows } = await q.query(
    `SELECT COALESCE(escalated_to, required_role) AS stage, escalated_to FROM approval
     WHERE org_id = app.org_id() AND id = $1 AND status = 'pending' AND NOT is_held AND escalates_at <= clock_timestamp()`,
    [approvalId],
  );
  return rows[0] === undefined ? null : dueSchema.parse(rows[0]);
}

async function move(q: OrgSql, approvalId: string, from: string | null, to: string): Promise<Moved | null> {
  const { rows } = await q.query<Moved>(
    `UPDATE approval a SET escalated_to = $3, escalated_at = clock_timestamp() FROM tool_request r
     WHERE a.org_id = app.org_id() AND a.id = $1 AND a.status = 'pending' AND NOT a.is_held AND a.escalated_to IS NOT DISTINCT FROM $2
       AND a.escalates_at <= clock_timestamp()
       AND r.org_id = a.org_id AND r.id = a.request_id
     RETURNING a.request_id, r.action, clock_timestamp() AS now`,
    [approvalId, from, to],
  );
  return rows[0] ?? null;
}
