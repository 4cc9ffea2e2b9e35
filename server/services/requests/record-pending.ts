import { approvalRequested } from "@/inngest/client";
import { wake } from "@/inngest/wake";
import type { OrgSql } from "@/server/db/with-org";
import type { ApprovalReason } from "@/server/domain/approval-reasons";
import type { AuditEntry } from "@/server/domain/audit";
import { deny } from "@/server/domain/verdict";
import { chooseGrant } from "@/server/gateway/choose-grant";
import { askApproval } from "@/server/services/approvals/ask-approval";
import { whoCouldApprove } from "@/server/services/approvals/who-could";
import { auditSql } from "@/server/services/audit/record";
import { nobodyPart, refusal } from "@/server/services/requests/answer";
import { callFields, grantFields, priceFields } from "@/server/services/requests/call-fields";
import { markTakenUp } from "@/server/services/requests/mark-taken-up";
import { recordDenied } from "@/server/services/requests/record-denied";
import { prepareRequest, storeRequest } from "@/server/services/requests/store-request";
import { AGAIN, type Recorded, type Submission, type TakenUp } from "@/server/services/requests/submission";

/** Told to an agent that has too many requests waiting: people decide at their own pace. */
const RETRY_AFTER_S = 60;

/** Records a call that a person has to decide, and asks. */
export async function recordPending(submission: Submission, reasons: readonly ApprovalReason[]): Promise<Recorded> {
  const { actor, facts, call, takenUp } = submission;
  const by = takenUp?.by ?? actor;
  const grant = chooseGrant(call, facts);
  if (grant === null) throw new Error("a call that may be approved has a grant");
  const { draft, digest, row } = await prepareRequest(submission, grant);
  const stored = await storeRequest(submission, { ...row, status: "pending" }, async (q) => {
    if (!(await hasRoom(q, submission))) throw new TooManyPending();
    if (takenUp) await markTakenUp(q, takenUp.proposalId);
    const question = {
      requestId: draft.id,
      digest,
      action: call.action.name,
      reasons,
      ruleVersion: facts.organization.ruleVersion,
    };
    const asked = await askApproval(q, question);
    const ids = { agentId: actor.agentId, sessionId: facts.session.id };
    const base = { actor: by, at: facts.now, requestId: draft.id, ...ids };
    const codes = reasons.map((reason) => reason.code);
    await auditSql(q, [
      {
        ...base,
        type: "request.submitted",
        fields: {
          ...callFields(submission),
          ...grantFields(grant),
          ...priceFields(submission),
          status: "pending",
          digest,
          labels: [...facts.session.labels],
          ...(takenUp ? { takenUpFrom: takenUp.proposalId } : {}),
        },
      },
      { ...base, type: "request.pending", fields: { ...callFields(submission), approval: asked.id, reasons: codes } },
      { ...asked.entry(by, facts.now), ...ids },
      ...(takenUp ? [takenUpEntry(takenUp, { at: facts.now, ...ids }, call.action.name, draft.id)] : []),
    ]);
    await q.query("SELECT app.tell('approval', $1), app.tell('request', $2)", [asked.id, draft.id]);
    const nobody = (await whoCouldApprove(q, [asked.id])).get(asked.id)?.nobody;
    return { ...asked, nobody };
  }).catch((error: unknown) => {
    if (error instanceof TooManyPending) return error;
    throw error;
  });
  if (stored instanceof TooManyPending) {
    if (takenUp) throw refusal(takenUp.proposalId, "reservation", "too_many_pending", { retryAfterS: RETRY_AFTER_S });
    return recordDenied(submission, "reservation", deny("too_many_pending", { retryAfterS: RETRY_AFTER_S }));
  }
  if (stored === null) return AGAIN;
  await wake(approvalRequested.create({ organizationId: actor.orgId, approvalId: stored.id, requestId: draft.id }));
  const asked = {
    id: stored.id,
    expiresAt: stored.expiresAt,
    reasons: reasons.map(({ code, text }) => ({ code, text })),
    ...nobodyPart(stored.nobody),
  };
  return { kind: "recorded", answer: { id: draft.id, status: "pending", version: 1, approval: asked } };
}

class TooManyPending extends Error {}

/** On the proposal's own record: who took it up, and as what. */
function takenUpEntry(
  { proposalId, by }: TakenUp,
  base: { at: Date; agentId: string; sessionId: string },
  action: string,
  request: string,
): AuditEntry {
  return { ...base, type: "proposal.taken_up", actor: by, requestId: proposalId, fields: { action, request } };
}

/** Counts the agent's waiting requests, this one among them, with nobody else counting for the same agent. */
async function hasRoom(q: OrgSql, { actor, facts }: Submission): Promise<boolean> {
  await q.query("SELECT pg_advisory_xact_lock(hashtextextended('pending:' || $1, 0))", [actor.agentId]);
  const { rows } = await q.query<{ count: string }>(
    "SELECT count(*) FROM tool_request WHERE org_id = app.org_id() AND agent_id = $1 AND status = 'pending'",
    [actor.agentId],
  );
  return Number(rows[0]?.count) <= facts.agent.pendingLimit;
}
