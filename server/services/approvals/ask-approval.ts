import { newId } from "@/server/db/new-id";
import type { OrgSql } from "@/server/db/with-org";
import { type ApprovalReason, mergeRequirements } from "@/server/domain/approval-reasons";
import type { AuditActor, AuditEntry } from "@/server/domain/audit";
import { env } from "@/server/env";

export type Question = {
  readonly requestId: string;
  readonly digest: string;
  readonly action: string;
  readonly reasons: readonly ApprovalReason[];
  readonly ruleVersion: number;
  /** Stopped by a control: it does not expire before the control is lifted. */
  readonly isHeld?: boolean;
};

export type Asked = {
  readonly id: string;
  readonly expiresAt: Date;
  readonly entry: (actor: AuditActor, at: Date) => AuditEntry;
};

/** Opens the approval of a pending request; the database's clock sets its end. At most one is open for a request. */
export async function askApproval(q: OrgSql, question: Question): Promise<Asked> {
  const { people, role, expiresMinutes } = mergeRequirements(question.reasons);
  const lifetimeS = expiresMinutes === null ? env().APPROVAL_TIMEOUT : expiresMinutes * 60;
  const id = newId("approval");
  const { rows } = await q.query<{ expires_at: Date }>(
    `INSERT INTO approval (id, org_id, request_id, digest, reasons, required_role, required_people, rule_version, is_held, lifetime_seconds, expires_at)
     VALUES ($1, app.org_id(), $2, decode($3, 'hex'), $4, $5, $6, $7, $8, $9::int, clock_timestamp() + make_interval(secs => $9::int)) RETURNING expires_at`,
    [
      id,
      question.requestId,
      question.digest,
      JSON.stringify(question.reasons),
      role,
      people,
      question.ruleVersion,
      question.isHeld ?? false,
      lifetimeS,
    ],
  );
  const expiresAt = rows[0]?.expires_at;
  if (expiresAt === undefined) throw new Error("the approval was not stored");
  const entry = (actor: AuditActor, at: Date): AuditEntry => ({
    type: "approval.requested",
    actor,
    at,
    requestId: question.requestId,
    fields: {
      approval: id,
      action: question.action,
      reasons: question.reasons.map((reason) => reason.code),
      digest: question.digest,
      requiredRole: role,
      requiredPeople: people,
      ruleVersion: question.ruleVersion,
      expiresAt: expiresAt.toISOString(),
    },
  });
  return { id, expiresAt, entry };
}
