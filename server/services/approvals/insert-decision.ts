import type { OrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import type { AuditEntry } from "@/server/domain/audit";
import type { Asked } from "@/server/services/approvals/asked";
import { signDecision } from "@/server/services/approvals/decision-mac";

export type DecisionInput = {
  readonly id: string;
  readonly decision: "approve" | "reject";
  readonly digest: string;
  readonly decisionId: string;
  readonly sealedReason: Buffer | null;
};

/** What an answer came to. `remaining`: how many more people have to approve. */
export type Decided = {
  readonly id: string;
  readonly status: "pending" | "approved" | "rejected";
  readonly remaining: number;
  readonly requestStatus: "pending" | "ready" | "scheduled" | "rejected";
};

/** What was answered, when, and whether by who asked. */
type Answered = { readonly at: Date; readonly isOwn: boolean; readonly result: Decided };

/** Writes one answer, signed, at the time by the database's clock that it answers with. */
export async function insertDecision(
  q: OrgSql,
  actor: MemberActor,
  input: DecisionInput,
  { approval, request }: Asked,
  isOwn: boolean,
): Promise<Date> {
  const { rows } = await q.query<{ at: Date }>("SELECT date_trunc('milliseconds', clock_timestamp()) AS at");
  const at = rows[0]?.at;
  if (at === undefined) throw new Error("the database has a clock");
  const mac = signDecision(q.orgId, {
    decisionId: input.decisionId,
    approvalId: approval.id,
    requestId: request.id,
    digest: input.digest,
    memberId: actor.memberId,
    decision: input.decision,
    decidedAt: at.toISOString(),
  });
  await q.query(
    `INSERT INTO decision (id, org_id, approval_id, member_id, decision, sealed_reason, mac, via, credential_id, decided_at, is_own)
     VALUES ($1, app.org_id(), $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      input.decisionId,
      approval.id,
      actor.memberId,
      input.decision,
      input.sealedReason,
      mac,
      actor.via,
      actor.credentialId,
      at,
      isOwn,
    ],
  );
  return at;
}

/** What the log has of an answer and what it came to. */
export function entryOf(
  actor: MemberActor,
  input: DecisionInput,
  { approval, request }: Asked,
  { at, isOwn, result }: Answered,
): AuditEntry {
  const type = { pending: "approval.given", approved: "approval.approved", rejected: "approval.rejected" } as const;
  return {
    type: type[result.status],
    actor,
    at,
    requestId: request.id,
    agentId: request.agentId,
    sessionId: request.sessionId,
    approvers: [actor.memberId],
    fields: {
      approval: approval.id,
      action: request.action,
      digest: input.digest,
      remaining: result.remaining,
      via: actor.via,
      ...(isOwn ? { ownRequest: true } : {}),
    },
  };
}
