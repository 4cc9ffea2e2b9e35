import { z } from "zod";
import { approvalDecided } from "@/inngest/client";
import { wakeAll } from "@/inngest/wake";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { AgentActor, MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";

export type Cancelled = { readonly id: string; readonly status: "withdrawn" | "cancelled"; readonly version: number };

/** Withdraws a pending request, or stops one inside its undo window. What has begun to run cannot be stopped: `conflict`. */
export const cancelToolRequest = command({
  name: "tool_request.cancel",
  callers: ["agent", "member"],
  permission: "request:cancel",
  input: z.strictObject({ id: idOf("toolRequest") }),
  run: cancel,
});

type Row = {
  status: "withdrawn" | "cancelled";
  version: number;
  action: string;
  agent_id: string;
  session_id: string;
  now: Date;
};

// One conditional update: a claim and a cancellation cannot both win.
const CANCEL = `UPDATE tool_request SET status = CASE status WHEN 'pending' THEN 'withdrawn' ELSE 'cancelled' END,
    version = version + 1, updated_at = clock_timestamp(), finished_at = clock_timestamp()
  WHERE org_id = app.org_id() AND id = $1 AND ($2::text IS NULL OR agent_id = $2) AND status IN ('pending', 'ready', 'scheduled')
  RETURNING status, version, action, agent_id, session_id, clock_timestamp() AS now`;

async function cancel(actor: AgentActor | MemberActor, { id }: { id: string }): Promise<Cancelled> {
  const { cancelled, approvals } = await end(actor, id);
  // What waits for the decision has none to wait for.
  await wakeAll(
    approvals.map((approvalId) => approvalDecided.create({ organizationId: actor.orgId, requestId: id, approvalId })),
  );
  return cancelled;
}

type End = { readonly cancelled: Cancelled; readonly approvals: readonly string[] };

function end(actor: AgentActor | MemberActor, id: string): Promise<End> {
  return withOrgSql(actor.orgId, async (q) => {
    const agentId = actor.kind === "agent" ? actor.agentId : null;
    const { rows } = await q.query<Row>(CANCEL, [id, agentId]);
    const [row] = rows;
    if (row === undefined) return refuse(q, id, agentId);
    const ended = await q.query<{ id: string }>(
      "UPDATE approval SET status = 'withdrawn', decided_at = clock_timestamp() WHERE org_id = app.org_id() AND request_id = $1 AND status IN ('pending', 'approved') RETURNING id",
      [id],
    );
    await auditSql(q, {
      type: row.status === "withdrawn" ? "request.withdrawn" : "request.cancelled",
      actor,
      at: row.now,
      requestId: id,
      agentId: row.agent_id,
      sessionId: row.session_id,
      fields: { action: row.action },
    });
    await q.query("SELECT app.tell('request', $1)", [id]);
    const approvals = ended.rows.map((one) => one.id);
    await q.query("SELECT app.tell('approval', id) FROM unnest($1::text[]) AS id", [approvals]);
    return { cancelled: { id, status: row.status, version: row.version }, approvals };
  });
}

async function refuse(q: OrgSql, id: string, agentId: string | null): Promise<never> {
  const { rows } = await q.query<{ status: string }>(
    "SELECT status FROM tool_request WHERE org_id = app.org_id() AND id = $1 AND ($2::text IS NULL OR agent_id = $2)",
    [id, agentId],
  );
  if (rows[0] === undefined) throw new AppError("not_found", "There is no such request.");
  throw new AppError("conflict", `Too late to cancel: it is ${rows[0].status.replace("_", " ")}.`, {
    reason: "not_cancellable",
    extra: { status: rows[0].status },
  });
}
