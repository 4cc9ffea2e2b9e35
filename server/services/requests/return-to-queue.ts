import { z } from "zod";
import type { OrgSql } from "@/server/db/with-org";
import {
  type ApprovalReason,
  approvalReasonSchema,
  type ReturnCode,
  returnReason,
  stricter,
} from "@/server/domain/approval-reasons";
import type { AuditActor, AuditEntry } from "@/server/domain/audit";
import type { CheckName, DenyCode } from "@/server/domain/verdict";
import { type Asked, askApprovals } from "@/server/services/approvals/ask-approval";
import { auditSql } from "@/server/services/audit/record";

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

/** A request that went back, and the approval it now waits for. */
export type Returned = { readonly requestId: string; readonly approvalId: string; readonly isHeld: boolean };

/**
 * Puts decided requests back into the queue, each under a new approval; what was decided before is void. Runs inside
 * the caller's transaction, in as many statements whatever their number. Whatever no longer waits to run is passed over.
 */
export async function returnToQueue(q: OrgSql, backs: readonly Return[]): Promise<Returned[]> {
  const byId = new Map(backs.map((back) => [back.requestId, back]));
  const moves = (await lockWaiting(q, [...byId.keys()])).flatMap((waiting): Move[] => {
    const back = byId.get(waiting.id);
    return back === undefined ? [] : [{ waiting, back, digest: back.digest ?? waiting.digest }];
  });
  if (moves.length === 0) return [];
  await moveRequests(q, moves);
  const asked = await askAgain(q, moves);
  await voidApprovals(
    q,
    moves.flatMap(({ waiting }) => waiting.approval_id ?? []),
  );
  await auditSql(
    q,
    moves.flatMap((move, index) => entriesOf(move, asked[index])),
  );
  await q.query(
    "SELECT app.tell('approval', t.approval), app.tell('request', t.request) FROM unnest($1::text[], $2::text[]) AS t(approval, request)",
    [asked.map(({ id }) => id), asked.map(({ requestId }) => requestId)],
  );
  return asked.map(({ id, requestId, isHeld }) => ({ requestId, approvalId: id, isHeld }));
}

const waitingSchema = z.object({
  id: z.string(),
  action: z.string(),
  agent_id: z.string(),
  session_id: z.string(),
  digest: z.string(),
  approval_id: z.string().nullable(),
  reasons: z.array(approvalReasonSchema).nullable(),
});
type Waiting = z.output<typeof waitingSchema>;
type Move = { readonly waiting: Waiting; readonly back: Return; readonly digest: string };

/** Those that wait to run, locked, with the reasons they were approved for. */
async function lockWaiting(q: OrgSql, ids: readonly string[]): Promise<Waiting[]> {
  const { rows } = await q.query(
    `SELECT r.id, r.action, r.agent_id, r.session_id, encode(r.digest, 'hex') AS digest, r.approval_id, a.reasons
     FROM tool_request r LEFT JOIN approval a ON a.org_id = r.org_id AND a.id = r.approval_id
     WHERE r.org_id = app.org_id() AND r.id = ANY ($1) AND r.status IN ('ready', 'scheduled') AND r.digest IS NOT NULL
     ORDER BY r.id FOR UPDATE OF r`,
    [ids],
  );
  return z.array(waitingSchema).parse(rows);
}

async function moveRequests(q: OrgSql, moves: readonly Move[]): Promise<void> {
  const rows = moves.map(({ waiting, back, digest }) => ({
    id: waiting.id,
    digest,
    check: back.blocked?.check,
    code: back.blocked?.code,
    grant_id: back.grant?.id,
    grant_version: back.grant?.version,
  }));
  await q.query(
    `UPDATE tool_request r SET status = 'pending', version = r.version + 1, updated_at = clock_timestamp(), approval_id = NULL, runs_at = NULL,
       digest = decode(m.digest, 'hex'), blocked_check = m.check, blocked_code = m.code,
       grant_id = COALESCE(m.grant_id, r.grant_id), grant_version = COALESCE(m.grant_version, r.grant_version)
     FROM jsonb_to_recordset($1::jsonb) AS m(id text, digest text, "check" text, code text, grant_id text, grant_version int)
     WHERE r.org_id = app.org_id() AND r.id = m.id`,
    [JSON.stringify(rows)],
  );
}

async function askAgain(q: OrgSql, moves: readonly Move[]): Promise<Asked[]> {
  const ruleVersion = await currentRuleVersion(q);
  return askApprovals(
    q,
    moves.map(({ waiting, back, digest }) => ({
      requestId: waiting.id,
      digest,
      action: waiting.action,
      reasons: merged([...(back.reasons ?? []), ...(waiting.reasons ?? []), returnReason(back.why)]),
      ruleVersion,
      isHeld: back.isHeld ?? false,
    })),
  );
}

function entriesOf({ waiting, back }: Move, asked: Asked | undefined): AuditEntry[] {
  if (asked === undefined) throw new Error("each request that goes back is asked again");
  const { actor, at, why } = back;
  const base = { actor, at, requestId: waiting.id, agentId: waiting.agent_id, sessionId: waiting.session_id };
  const { action } = waiting;
  const entries: AuditEntry[] = [];
  if (waiting.approval_id !== null) {
    entries.push({ ...base, type: "approval.voided", fields: { approval: waiting.approval_id, action, why } });
  }
  if (back.blocked) entries.push({ ...base, type: "request.blocked", fields: { action, ...back.blocked } });
  entries.push({ ...base, type: "request.returned", fields: { action, why, approval: asked.id } });
  return [...entries, asked.entry(actor, at)];
}

/** Ends approvals that a change overtook. */
export async function voidApprovals(q: OrgSql, ids: readonly string[]): Promise<void> {
  await q.query(
    "UPDATE approval SET status = 'voided' WHERE org_id = app.org_id() AND id = ANY ($1) AND status IN ('pending', 'approved')",
    [ids],
  );
}

export async function currentRuleVersion(q: OrgSql): Promise<number> {
  const { rows } = await q.query<{ rule_version: number }>("SELECT rule_version FROM organization");
  return rows[0]?.rule_version ?? 0;
}

/**
 * Each reason once, with all that either of two alike asks for, so that it answers both; why it came back before is no
 * longer news.
 */
export function merged(reasons: readonly ApprovalReason[]): ApprovalReason[] {
  const last = reasons.findLastIndex((reason) => reason.kind === "returned");
  const kept = reasons.filter((reason, index) => reason.kind !== "returned" || index === last);
  const keyOf = (reason: ApprovalReason) =>
    `${reason.kind}|${reason.code}|${reason.ruleId}|${reason.requiredRole}|${reason.people}`;
  const byKey = new Map<string, ApprovalReason>();
  for (const reason of kept) byKey.set(keyOf(reason), stricter(byKey.get(keyOf(reason)), reason));
  return [...byKey.values()];
}
