import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { isRiskWithin } from "@/server/domain/action";
import type { MemberActor } from "@/server/domain/actor";
import { mergeRequirements } from "@/server/domain/approval-reasons";
import type { AuditEntry } from "@/server/domain/audit";
import { AppError } from "@/server/domain/errors";
import type { Asked } from "@/server/services/approvals/asked";
import { authorityOver, GIVEN_LATER } from "@/server/services/approvals/authority";
import { signDecision } from "@/server/services/approvals/decision-mac";
import { honouredDecisions } from "@/server/services/approvals/honoured";
import { type Edit, replaceVersion } from "@/server/services/approvals/replace-version";
import { requestersOf } from "@/server/services/approvals/requesters";
import { auditSql } from "@/server/services/audit/record";
import { stillHolds } from "@/server/services/gateway/lock-controls";
import type { Recheck } from "@/server/services/gateway/recheck";
import { undoSeconds } from "@/server/services/requests/undo-window";

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

type Passed = Extract<Recheck, { kind: "passed" }>;
type Step =
  | { readonly kind: "decided"; readonly result: Decided }
  | { readonly kind: "again" }
  | { readonly kind: "refused"; readonly error: AppError };

/**
 * Writes one answer and what follows from it in one transaction, with the approval's row locked: of any number of
 * answers at once each sees those before it. `again` where the configuration changed since the recheck. With `edit`
 * the version that `checked` is about takes the place of the one that was shown, and the answer is given to that one.
 */
export function recordDecision(
  actor: MemberActor,
  input: DecisionInput,
  asked: Asked,
  checked: Passed | null,
  edit: Edit | null = null,
): Promise<Step> {
  return withOrgSql<Step>(actor.orgId, async (q) => {
    if (checked !== null && !(await stillHolds(q, checked.facts))) return { kind: "again" };
    const error = await whyNot(q, actor, input, withEdited(asked, checked, edit));
    if (error !== null) return { kind: "refused", error };
    if (input.decision === "approve" && checked === null) return { kind: "again" };
    const answered = edit && checked ? await replaceVersion(q, actor, asked, checked, edit) : asked;
    return { kind: "decided", result: await record(q, actor, input, answered, checked) };
  });
}

async function whyNot(q: OrgSql, actor: MemberActor, input: DecisionInput, asked: Asked): Promise<AppError | null> {
  const row = await lockApproval(q, input.id);
  return (await mayDecide(q, actor, input, asked)) ?? (await isOpen(q, actor, input, row));
}

async function record(
  q: OrgSql,
  actor: MemberActor,
  decision: DecisionInput,
  asked: Asked,
  checked: Passed | null,
): Promise<Decided> {
  const { approval, request } = asked;
  const input = { ...decision, id: approval.id, digest: approval.digest };
  const at = await insertDecision(q, actor, input, asked);
  const result = input.decision === "reject" ? await reject(q, asked) : await approve(q, asked, checked);
  await auditSql(q, entryOf(actor, input, asked, result, at));
  await q.query("SELECT app.tell('approval', $1), app.tell('request', $2)", [approval.id, request.id]);
  return result;
}

/** Editing takes what either version takes: nobody edits their way around a role or above their risk. */
function withEdited(asked: Asked, checked: Passed | null, edit: Edit | null): Asked {
  if (edit === null || checked === null) return asked;
  const { role } = mergeRequirements([...asked.approval.reasons, ...checked.reasons]);
  const { risk } = checked.call.classification;
  const isLess = isRiskWithin(risk, asked.request.risk);
  return {
    approval: { ...asked.approval, requiredRole: role },
    request: isLess ? asked.request : { ...asked.request, risk },
  };
}

type LockedRow = { readonly status: string; readonly digest: string; readonly is_over: boolean };

async function lockApproval(q: OrgSql, id: string): Promise<LockedRow> {
  const { rows } = await q.query<LockedRow>(
    `SELECT status, encode(digest, 'hex') AS digest, (NOT is_held AND expires_at <= clock_timestamp()) AS is_over
     FROM approval WHERE org_id = app.org_id() AND id = $1 FOR UPDATE`,
    [id],
  );
  if (rows[0] === undefined) throw new AppError("not_found", "There is no such approval.");
  return rows[0];
}

/** Authority of now, held since before it was asked, and not among those who asked. Whoever may approve may also reject. */
async function mayDecide(
  q: OrgSql,
  actor: MemberActor,
  input: DecisionInput,
  { approval, request }: Asked,
): Promise<AppError | null> {
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
  const requesters = await requestersOf(q, request.id);
  if (!requesters.has(actor.memberId)) return null;
  return new AppError(
    "forbidden",
    "You own this agent, issued its key or took this up, so you count as having asked. Someone else has to decide.",
    {
      reason: "own_request",
    },
  );
}

async function isOpen(q: OrgSql, actor: MemberActor, input: DecisionInput, row: LockedRow): Promise<AppError | null> {
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

async function insertDecision(
  q: OrgSql,
  actor: MemberActor,
  input: DecisionInput,
  { approval, request }: Asked,
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
    `INSERT INTO decision (id, org_id, approval_id, member_id, decision, sealed_reason, mac, via, credential_id, decided_at)
     VALUES ($1, app.org_id(), $2, $3, $4, $5, $6, $7, $8, $9)`,
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
    ],
  );
  return at;
}

const CLOSE =
  "UPDATE approval SET status = $2, decided_at = clock_timestamp() WHERE org_id = app.org_id() AND id = $1 AND status = 'pending'";

async function reject(q: OrgSql, { approval, request }: Asked): Promise<Decided> {
  await q.query(CLOSE, [approval.id, "rejected"]);
  await moveRequest(
    q,
    `UPDATE tool_request SET status = 'rejected', version = version + 1, updated_at = clock_timestamp(), finished_at = clock_timestamp()
    WHERE org_id = app.org_id() AND id = $1 AND status = 'pending'`,
    [request.id],
  );
  return { id: approval.id, status: "rejected", remaining: 0, requestStatus: "rejected" };
}

async function approve(q: OrgSql, { approval, request }: Asked, checked: Passed | null): Promise<Decided> {
  if (checked === null) throw new Error("an approval follows a recheck");
  const { approvers, isEnough } = await honouredDecisions(q, request, approval);
  if (!isEnough) {
    const remaining = approval.requiredPeople - approvers.length;
    return { id: approval.id, status: "pending", remaining, requestStatus: "pending" };
  }
  await q.query(CLOSE, [approval.id, "approved"]);
  const waitS = undoSeconds(checked.call.action, checked.facts.organization.undoSeconds);
  const requestStatus = waitS === 0 ? "ready" : "scheduled";
  await moveRequest(
    q,
    `UPDATE tool_request SET status = $2, approval_id = $3, runs_at = clock_timestamp() + make_interval(secs => $4::int),
      version = version + 1, updated_at = clock_timestamp(), blocked_check = NULL, blocked_code = NULL
    WHERE org_id = app.org_id() AND id = $1 AND status = 'pending' AND digest = decode($5, 'hex')`,
    [request.id, requestStatus, approval.id, waitS, approval.digest],
  );
  return { id: approval.id, status: "approved", remaining: 0, requestStatus };
}

async function moveRequest(q: OrgSql, text: string, values: readonly unknown[]): Promise<void> {
  const { rowCount } = await q.query(text, values);
  if (rowCount !== 1)
    throw new AppError("conflict", "Not decided, nothing ran. The request is no longer waiting.", {
      reason: "already_decided",
    });
}

function entryOf(
  actor: MemberActor,
  input: DecisionInput,
  { approval, request }: Asked,
  result: Decided,
  at: Date,
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
    },
  };
}
