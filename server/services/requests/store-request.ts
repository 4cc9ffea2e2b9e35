import { isUniqueViolation } from "@/server/db/unique";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { GrantFact } from "@/server/domain/facts";
import { shadowMatches } from "@/server/domain/shadow";
import { ruleFacts } from "@/server/gateway/checks/approval-reasons";
import { sealJson } from "@/server/services/gateway/content";
import { type Draft, digestOf, newDraft } from "@/server/services/gateway/draft";
import { stillHolds } from "@/server/services/gateway/lock-controls";
import { INSERT_REQUEST, requestRow } from "@/server/services/requests/request-row";
import type { Submission } from "@/server/services/requests/submission";

/** A request with everything its row needs but a status. */
export type Prepared = { readonly draft: Draft; readonly digest: string; readonly row: Record<string, unknown> };

/** Gives a call an id, its digest, and seals its content. */
export async function prepareRequest(submission: Submission, grant: GrantFact): Promise<Prepared> {
  const { actor, facts, call } = submission;
  const draft = newDraft();
  const digest = digestOf({ orgId: actor.orgId, draft, agentId: actor.agentId, facts, grant, call });
  const [sealedArguments, sealedNote] = await Promise.all([
    sealJson(actor.orgId, draft.id, "arguments", call.json),
    call.note === undefined ? null : sealJson(actor.orgId, draft.id, "note", call.note),
  ]);
  const row = requestRow({
    id: draft.id,
    agentId: actor.agentId,
    ownerId: facts.agent.ownerId,
    keyId: actor.credentialId,
    connectionId: facts.connection?.id ?? null,
    sessionId: facts.session.id,
    grant,
    call,
    nonce: draft.nonce,
    digest,
    sealedArguments,
    sealedNote,
    idempotency: submission.idempotency,
    credential: facts.credential,
    takenUp: submission.takenUp ?? null,
    compensates: submission.compensates ?? null,
    shadow: shadowMatches(facts.rules, () => ruleFacts(call, facts)),
  });
  return { draft, digest, row };
}

/**
 * Inserts the row and does what belongs to it in one transaction, under the control lock. Null where what was decided
 * upon changed meanwhile or another call with the same idempotency key was faster: nothing is written then.
 */
export async function storeRequest<T>(
  submission: Submission,
  row: Record<string, unknown>,
  work: (q: OrgSql) => Promise<T>,
): Promise<T | null> {
  try {
    return await withOrgSql(submission.actor.orgId, async (q) => {
      if (!(await stillHolds(q, submission.facts))) return null;
      await q.query(INSERT_REQUEST, [JSON.stringify(row)]);
      return work(q);
    });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}
