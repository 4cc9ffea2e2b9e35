import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import type { Asked } from "@/server/services/approvals/asked";
import { honouredDecisions } from "@/server/services/approvals/honoured";
import {
  type Answering,
  type Decided,
  type DecisionInput,
  entryOf,
  insertDecision,
  type Outcome,
} from "@/server/services/approvals/insert-decision";
import { admit } from "@/server/services/approvals/may-decide";
import { answeringOf, askSecond, isUnread } from "@/server/services/approvals/reading";
import { type Edit, replaceVersion } from "@/server/services/approvals/replace-version";
import { auditSql } from "@/server/services/audit/record";
import { stillHolds } from "@/server/services/gateway/lock-controls";
import type { Recheck } from "@/server/services/gateway/recheck";
import { undoSeconds } from "@/server/services/requests/undo-window";

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
    const edited = editedOf(checked, edit);
    const admitted = await admit(q, actor, input, asked, edited);
    if ("error" in admitted) return { kind: "refused", error: admitted.error };
    if (input.decision === "approve" && checked === null) return { kind: "again" };
    // What was opened is the version that was shown.
    const answering = await answeringOf(q, actor, admitted, checked, edit);
    if ("error" in answering) return { kind: "refused", error: answering.error };
    const answered = edited ? await replaceVersion(q, actor, admitted.asked, edited) : admitted.asked;
    return { kind: "decided", result: await record(q, actor, input, answered, answering, checked) };
  });
}

const editedOf = (checked: Passed | null, edit: Edit | null) =>
  edit === null || checked === null ? null : { edit, checked };

async function record(
  q: OrgSql,
  actor: MemberActor,
  decision: DecisionInput,
  asked: Asked,
  answering: Answering,
  checked: Passed | null,
): Promise<Decided> {
  const { approval, request } = asked;
  const input = { ...decision, id: approval.id, digest: approval.digest };
  await insertDecision(q, actor, input, asked, answering);
  const isSecondAsked = input.decision === "approve" && isUnread(asked, answering);
  const answered = isSecondAsked ? await askSecond(q, asked) : asked;
  const result = input.decision === "reject" ? await reject(q, answered) : await approve(q, answered, checked);
  await auditSql(q, entryOf(actor, input, answered, answering, result));
  await q.query("SELECT app.tell('approval', $1), app.tell('request', $2)", [approval.id, request.id]);
  return { ...result, isSecondAsked };
}

const CLOSE =
  "UPDATE approval SET status = $2, decided_at = clock_timestamp() WHERE org_id = app.org_id() AND id = $1 AND status = 'pending'";

async function reject(q: OrgSql, { approval, request }: Asked): Promise<Outcome> {
  await q.query(CLOSE, [approval.id, "rejected"]);
  await moveRequest(
    q,
    `UPDATE tool_request SET status = 'rejected', version = version + 1, updated_at = clock_timestamp(), finished_at = clock_timestamp()
    WHERE org_id = app.org_id() AND id = $1 AND status = 'pending'`,
    [request.id],
  );
  return { id: approval.id, status: "rejected", remaining: 0, requestStatus: "rejected" };
}

async function approve(q: OrgSql, { approval, request }: Asked, checked: Passed | null): Promise<Outcome> {
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
