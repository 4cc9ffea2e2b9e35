import type { OrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import type { AuditEntry } from "@/server/domain/audit";
import { isTooQuick, type ReadingTime } from "@/server/domain/reading-time";
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
export type Outcome = {
  readonly id: string;
  readonly status: "pending" | "approved" | "rejected";
  readonly remaining: number;
  readonly requestStatus: "pending" | "ready" | "scheduled" | "rejected";
};

/** The same to who answered. `isSecondAsked`: it came faster than it can be read, and a rule asks for another person. */
export type Decided = Outcome & { readonly isSecondAsked: boolean };

/** An answer at a time: whether by who asked, and how long they had it before them, where it approves. */
export type Answering = { readonly at: Date; readonly isOwn: boolean; readonly reading: ReadingTime | null };

/** Writes one answer, signed. */
export async function insertDecision(
  q: OrgSql,
  actor: MemberActor,
  input: DecisionInput,
  { approval, request }: Asked,
  { at, isOwn, reading }: Answering,
): Promise<void> {
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
    `INSERT INTO decision (id, org_id, approval_id, member_id, decision, sealed_reason, mac, via, credential_id, decided_at, is_own, opened_at, reading_ms)
     VALUES ($1, app.org_id(), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
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
      reading?.openedAt ?? null,
      reading?.leastMs ?? null,
    ],
  );
}

/** What the log has of an answer and what it came to. */
export function entryOf(
  actor: MemberActor,
  input: DecisionInput,
  { approval, request }: Asked,
  { at, isOwn, reading }: Answering,
  result: Outcome,
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
      ...(reading === null ? {} : readingFields(reading, at)),
    },
  };
}

const readingFields = (reading: ReadingTime, at: Date) => ({
  readingMs: reading.leastMs,
  ...(reading.openedAt === null ? {} : { openedAt: reading.openedAt.toISOString() }),
  ...(isTooQuick(reading, at) ? { tooQuick: true } : {}),
});
