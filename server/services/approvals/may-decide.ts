import type { OrgSql } from "@/server/db/with-org";
import { isRiskWithin } from "@/server/domain/action";
import type { MemberActor } from "@/server/domain/actor";
import { mergeRequirements } from "@/server/domain/approval-reasons";
import { AppError } from "@/server/domain/errors";
import type { Asked } from "@/server/services/approvals/asked";
import { authorityOver, GIVEN_LATER } from "@/server/services/approvals/authority";
import type { DecisionInput } from "@/server/services/approvals/insert-decision";
import { decidesOwn } from "@/server/services/approvals/own-request";
import type { Edit } from "@/server/services/approvals/replace-version";
import { requestersOf } from "@/server/services/approvals/requesters";
import type { Recheck } from "@/server/services/gateway/recheck";

type Passed = Extract<Recheck, { kind: "passed" }>;
/** Which approval, the digest that was seen, and what is answered. */
type Answer = Pick<DecisionInput, "id" | "digest" | "decision">;

/** Either why nothing is decided, or what is answered as its locked row has it, and whether by who asked. */
export type Admitted = { readonly error: AppError } | { readonly asked: Asked; readonly isOwn: boolean };

/**
 * Locks the approval and says whether this person may answer it now. Nobody else answers it, and no authority of
 * theirs changes, until the transaction ends. With `edit`, what either version takes counts.
 */
export async function admit(
  q: OrgSql,
  actor: MemberActor,
  input: Answer,
  asked: Asked,
  edited: { readonly checked: Passed; readonly edit: Edit } | null,
): Promise<Admitted> {
  const row = await lockApproval(q, input.id);
  const locked = { ...asked, approval: { ...asked.approval, requiredPeople: row.required_people } };
  const judged = await mayDecide(q, actor, input, edited === null ? locked : withEdited(locked, edited.checked));
  if (judged instanceof AppError) return { error: judged };
  const error = await isOpen(q, actor, input, row);
  return error === null ? { asked: locked, ...judged } : { error };
}

/** Editing takes what either version takes: nobody edits their way around a role or above their risk. */
function withEdited({ approval, request }: Asked, checked: Passed): Asked {
  const { role, people } = mergeRequirements([...approval.reasons, ...checked.reasons]);
  const { risk } = checked.call.classification;
  const requiredPeople = Math.max(people, approval.requiredPeople);
  return {
    approval: { ...approval, requiredRole: role, requiredPeople },
    request: isRiskWithin(risk, request.risk) ? request : { ...request, risk },
  };
}

type LockedRow = {
  readonly status: string;
  readonly digest: string;
  readonly is_over: boolean;
  readonly required_people: number;
};

async function lockApproval(q: OrgSql, id: string): Promise<LockedRow> {
  const { rows } = await q.query<LockedRow>(
    `SELECT status, encode(digest, 'hex') AS digest, required_people, (NOT is_held AND COALESCE(expires_at <= clock_timestamp(), false)) AS is_over
     FROM approval WHERE org_id = app.org_id() AND id = $1 FOR UPDATE`,
    [id],
  );
  if (rows[0] === undefined) throw new AppError("not_found", "There is no such approval.");
  return rows[0];
}

/**
 * Authority of now, held since before it was asked, and not among those who asked, but for an owner who is alone where
 * the organization lets them. Whoever may approve may also reject.
 */
async function mayDecide(
  q: OrgSql,
  actor: MemberActor,
  input: Answer,
  { approval, request }: Asked,
): Promise<AppError | { readonly isOwn: boolean }> {
  // Whoever changes a role, or gives or withdraws a right, holds this row.
  const { rows } = await q.query("SELECT 1 FROM member WHERE id = $1 AND disabled_at IS NULL FOR SHARE", [
    actor.memberId,
  ]);
  const required = input.decision === "approve" ? approval.requiredRole : "approver";
  const asIf = { role: required, risk: request.risk };
  const authority = (await authorityOver(q, actor.memberId, [approval.id], asIf)).get(approval.id);
  if (rows.length === 0 || authority === undefined || authority === "none") {
    return new AppError("forbidden", `Deciding this takes the role ${required}.`, { reason: "role_required" });
  }
  if (authority === "later") return new AppError("forbidden", GIVEN_LATER, { reason: "authority_given_later" });
  const isOwn = (await requestersOf(q, request.id)).has(actor.memberId);
  if (!isOwn || (await decidesOwn(q, actor.memberId, approval))) return { isOwn };
  return new AppError(
    "forbidden",
    "You own this agent, issued its key or took this up, so you count as having asked. Someone else has to decide.",
    { reason: "own_request" },
  );
}

async function isOpen(q: OrgSql, actor: MemberActor, input: Answer, row: LockedRow): Promise<AppError | null> {
  const conflict = (reason: string, message: string) => new AppError("conflict", message, { reason });
  if (row.digest !== input.digest) {
    return conflict(
      "digest_mismatch",
      "Not decided, nothing ran. The request is not the one you saw. Look at it again.",
    );
  }
  if (row.status === "expired" || (row.status === "pending" && row.is_over)) {
    return conflict("expired", "Not decided, nothing ran. The time to decide is over.");
  }
  if (row.status !== "pending") return conflict("already_decided", `Not decided: it is ${row.status} already.`);
  const { rows } = await q.query(
    "SELECT 1 FROM decision WHERE org_id = app.org_id() AND approval_id = $1 AND member_id = $2",
    [input.id, actor.memberId],
  );
  return rows.length === 0 ? null : conflict("same_person", "You have decided this already. A second person has to.");
}
