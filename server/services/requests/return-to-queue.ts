import type { OrgSql } from "@/server/db/with-org";
import { type ApprovalReason, type ReturnCode, returnReason } from "@/server/domain/approval-reasons";
import type { AuditActor } from "@/server/domain/audit";
import type { CheckName, DenyCode } from "@/server/domain/verdict";
import { askApproval } from "@/server/services/approvals/ask-approval";
import { auditSql } from "@/server/services/audit/record";
import { readApproval, readRequest, type StoredRequest } from "@/server/services/requests/stored-request";

export type Return = {
  readonly requestId: string;
  readonly why: ReturnCode;
  readonly actor: AuditActor;
  readonly at: Date;
  /** Reasons found now; those of the approval that stood before are kept besides. */
  readonly reasons?: readonly ApprovalReason[];
  /** The digest as things stand now; the stored one where nothing it covers has changed. */
  readonly digest?: string;
  readonly grant?: { readonly id: string; readonly version: number };
  readonly blocked?: { readonly check: CheckName; readonly code: DenyCode };
  readonly isHeld?: boolean;
};

/**
 * Puts a decided request back into the queue under a new approval; what was decided before is void. Runs inside the
 * caller's transaction. Null where the request is no longer waiting to run.
 */
export async function returnToQueue(q: OrgSql, back: Return): Promise<{ approvalId: string } | null> {
  const request = await readRequest(q, back.requestId);
  if (request === null || request.digest === null) return null;
  const digest = back.digest ?? request.digest;
  const moved = await q.query(
    `UPDATE tool_request SET status = 'pending', version = version + 1, updated_at = clock_timestamp(), approval_id = NULL, runs_at = NULL,
       digest = decode($2, 'hex'), blocked_check = $3, blocked_code = $4, grant_id = COALESCE($5, grant_id), grant_version = COALESCE($6, grant_version)
     WHERE org_id = app.org_id() AND id = $1 AND status IN ('ready', 'scheduled')`,
    [
      request.id,
      digest,
      back.blocked?.check ?? null,
      back.blocked?.code ?? null,
      back.grant?.id ?? null,
      back.grant?.version ?? null,
    ],
  );
  if (moved.rowCount !== 1) return null;
  return { approvalId: await askAgain(q, back, request, digest) };
}

/** Every request of the organization that is ready or scheduled, back into the queue: a control stopped them. */
export async function returnAllToQueue(q: OrgSql, back: Omit<Return, "requestId">): Promise<number> {
  const { rows } = await q.query<{ id: string }>(
    "SELECT id FROM tool_request WHERE org_id = app.org_id() AND status IN ('ready', 'scheduled') ORDER BY id FOR UPDATE",
  );
  let count = 0;
  for (const { id } of rows) {
    if ((await returnToQueue(q, { ...back, requestId: id })) !== null) count += 1;
  }
  return count;
}

async function askAgain(q: OrgSql, back: Return, request: StoredRequest, digest: string): Promise<string> {
  const before = request.approvalId === null ? null : await readApproval(q, { id: request.approvalId });
  const asked = await askApproval(q, {
    requestId: request.id,
    digest,
    action: request.action,
    reasons: merged([...(back.reasons ?? []), ...(before?.reasons ?? []), returnReason(back.why)]),
    ruleVersion: await currentRuleVersion(q),
    isHeld: back.isHeld ?? false,
  });
  if (before !== null) await voidApproval(q, before.id);
  const base = {
    actor: back.actor,
    at: back.at,
    requestId: request.id,
    agentId: request.agentId,
    sessionId: request.sessionId,
  };
  await auditSql(q, [
    ...(before === null
      ? []
      : [
          {
            ...base,
            type: "approval.voided" as const,
            fields: { approval: before.id, action: request.action, why: back.why },
          },
        ]),
    ...(back.blocked
      ? [{ ...base, type: "request.blocked" as const, fields: { action: request.action, ...back.blocked } }]
      : []),
    { ...base, type: "request.returned", fields: { action: request.action, why: back.why, approval: asked.id } },
    asked.entry(back.actor, back.at),
  ]);
  await q.query("SELECT app.tell('approval', $1), app.tell('request', $2)", [asked.id, request.id]);
  return asked.id;
}

/** Ends an approval that a change overtook. */
export async function voidApproval(q: OrgSql, id: string): Promise<void> {
  await q.query(
    "UPDATE approval SET status = 'voided' WHERE org_id = app.org_id() AND id = $1 AND status IN ('pending', 'approved')",
    [id],
  );
}

export async function currentRuleVersion(q: OrgSql): Promise<number> {
  const { rows } = await q.query<{ rule_version: number }>("SELECT rule_version FROM organization");
  return rows[0]?.rule_version ?? 0;
}

/** Each reason once; why it came back before is no longer news. */
export function merged(reasons: readonly ApprovalReason[]): ApprovalReason[] {
  const last = reasons.findLastIndex((reason) => reason.kind === "returned");
  const kept = reasons.filter((reason, index) => reason.kind !== "returned" || index === last);
  const keyOf = (reason: ApprovalReason) =>
    `${reason.kind}|${reason.code}|${reason.ruleId}|${reason.requiredRole}|${reason.people}`;
  return [...new Map(kept.map((reason) => [keyOf(reason), reason])).values()];
}
