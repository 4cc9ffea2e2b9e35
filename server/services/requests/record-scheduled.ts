import { requestScheduled } from "@/inngest/client";
import { wake } from "@/inngest/wake";
import { chooseGrant } from "@/server/gateway/choose-grant";
import { auditSql } from "@/server/services/audit/record";
import { callFields, grantFields, priceFields } from "@/server/services/requests/call-fields";
import { prepareRequest, storeRequest } from "@/server/services/requests/store-request";
import { AGAIN, type Recorded, type Submission } from "@/server/services/requests/submission";
import { undoSeconds } from "@/server/services/requests/undo-window";

/** Records an allowed call that may still be cancelled: it is claimed when its undo window has passed. */
export async function recordScheduled(submission: Submission): Promise<Recorded> {
  const { actor, facts, call } = submission;
  const grant = chooseGrant(call, facts);
  if (grant === null) throw new Error("an allowed call has a grant");
  const { draft, digest, row } = await prepareRequest(submission, grant);
  const runsAt = new Date(facts.now.getTime() + undoSeconds(call.action, facts.organization.undoSeconds) * 1000);
  const scheduled = { ...row, status: "scheduled", runs_at: runsAt.toISOString() };
  const stored = await storeRequest(submission, scheduled, async (q) => {
    const base = { actor, at: facts.now, requestId: draft.id, sessionId: facts.session.id };
    await auditSql(q, [
      {
        ...base,
        type: "request.submitted",
        fields: {
          ...callFields(submission),
          ...grantFields(grant),
          ...priceFields(submission),
          status: "scheduled",
          digest,
        },
      },
      { ...base, type: "request.scheduled", fields: { ...callFields(submission), runsAt: runsAt.toISOString() } },
    ]);
    await q.query("SELECT app.tell('request', $1)", [draft.id]);
    return true;
  });
  if (stored === null) return AGAIN;
  await wake(requestScheduled.create({ organizationId: actor.orgId, requestId: draft.id }));
  return {
    kind: "recorded",
    answer: { id: draft.id, status: "scheduled", version: 1, runsAt, cancelUntil: runsAt },
  };
}
