import type { AuditEntry } from "@/server/domain/audit";
import { deny } from "@/server/domain/verdict";
import { chooseGrant } from "@/server/gateway/choose-grant";
import { auditJson } from "@/server/services/audit/record";
import { type ClaimResult, claim } from "@/server/services/gateway/claim";
import { runClaimed } from "@/server/services/gateway/run-claimed";
import { callFields, grantFields, priceFields } from "@/server/services/requests/call-fields";
import { recordDenied } from "@/server/services/requests/record-denied";
import { type Prepared, prepareRequest } from "@/server/services/requests/store-request";
import { AGAIN, type Recorded, type Submission } from "@/server/services/requests/submission";

/** Records, claims and runs a call that needs nobody: the row is born `executing`, under the claim. */
export async function recordAllowed(submission: Submission): Promise<Recorded> {
  const { actor, facts, call } = submission;
  const grant = chooseGrant(call, facts);
  if (grant === null) throw new Error("an allowed call has a grant");
  const prepared = await prepareRequest(submission, grant);
  const requestId = prepared.draft.id;
  const result = await claim({
    orgId: actor.orgId,
    requestId,
    facts,
    call,
    grant,
    row: { insert: prepared.row },
    audit: auditJson(actor.orgId, startEntries(submission, prepared, grant)),
  });
  if (result.kind !== "claimed") return notClaimed(submission, result);
  const answer = await runClaimed({
    actor,
    requestId,
    facts,
    call,
    grant,
    claimed: result.claimed,
    approvers: [],
    isWatched: false,
  });
  return { kind: "recorded", answer };
}

function startEntries(
  submission: Submission,
  { draft, digest }: Prepared,
  grant: { id: string; version: number },
): AuditEntry[] {
  const { actor, facts } = submission;
  const base = { actor, at: facts.now, requestId: draft.id, sessionId: facts.session.id };
  const fields = { ...callFields(submission), ...grantFields(grant), ...priceFields(submission), digest };
  const version = facts.credential === null ? {} : { credentialVersion: facts.credential.version };
  return [
    {
      ...base,
      type: "request.submitted",
      fields: { ...fields, status: "executing", labels: [...facts.session.labels] },
    },
    { ...base, type: "request.started", credential: facts.credential?.id, fields: { ...fields, ...version } },
  ];
}

function notClaimed(submission: Submission, result: Exclude<ClaimResult, { kind: "claimed" }>): Promise<Recorded> {
  switch (result.kind) {
    case "usage_limit":
      return recordDenied(submission, "validation", deny("usage_limit", { retryAfterS: result.retryAfterS }));
    case "budget_spent":
      return recordDenied(submission, "reservation", deny("budget_spent"));
    case "stale":
    case "duplicate":
    case "row_taken":
      return Promise.resolve(AGAIN);
  }
}
