import { isUniqueViolation } from "@/server/db/unique";
import { withOrgSql } from "@/server/db/with-org";
import type { AuditEntry } from "@/server/domain/audit";
import { shadowMatches } from "@/server/domain/shadow";
import type { CheckName, Denial } from "@/server/domain/verdict";
import { ruleFacts } from "@/server/gateway/checks/approval-reasons";
import { chooseGrant } from "@/server/gateway/choose-grant";
import { auditSql } from "@/server/services/audit/record";
import { sealJson } from "@/server/services/gateway/content";
import { newDraft } from "@/server/services/gateway/draft";
import { refusal } from "@/server/services/requests/answer";
import { callFields } from "@/server/services/requests/call-fields";
import { INSERT_REQUEST, requestRow } from "@/server/services/requests/request-row";
import type { Recorded, Submission } from "@/server/services/requests/submission";

/** Refusals that pass by themselves: they use no idempotency key up, so that the same call may be tried again. */
const PASSING = new Set<Denial["code"]>(["usage_limit", "too_many_pending"]);

/** What was refused before the rules were looked at says nothing about them. */
const RULES_SEEN = new Set<CheckName>(["approval_reasons", "reservation"]);

/** Records a refusal and throws it. What the secret scan refuses is stored without arguments and note. */
export async function recordDenied(submission: Submission, check: CheckName, denial: Denial): Promise<Recorded> {
  const { actor, facts, call } = submission;
  const draft = newDraft();
  const isKept = check !== "secret_scan" && facts.secretHits.length === 0;
  const note = isKept ? call.note : undefined;
  const [sealedArguments, sealedNote] = await Promise.all([
    isKept ? sealJson(actor.orgId, draft.id, "arguments", call.json) : null,
    note === undefined ? null : sealJson(actor.orgId, draft.id, "note", note),
  ]);
  const row = {
    ...requestRow({
      id: draft.id,
      agentId: actor.agentId,
      ownerId: facts.agent.ownerId,
      keyId: actor.credentialId,
      connectionId: facts.connection?.id ?? null,
      sessionId: facts.session.id,
      grant: chooseGrant(call, facts),
      call,
      nonce: draft.nonce,
      digest: null,
      sealedArguments,
      sealedNote,
      idempotency: PASSING.has(denial.code) ? null : submission.idempotency,
      credential: null,
      takenUp: null,
      compensates: submission.compensates ?? null,
      shadow: RULES_SEEN.has(check) ? shadowMatches(facts.rules, () => ruleFacts(call, facts)) : null,
    }),
    status: "denied",
    is_proposal: denial.isProposal ?? false,
    denied_check: check,
    denied_code: denial.code,
  };
  const isNew = await insert(submission, row, denialEntry(submission, draft.id, check, denial));
  if (!isNew) return { kind: "again" };
  throw refusal(draft.id, check, denial.code, denial);
}

function denialEntry(submission: Submission, requestId: string, check: CheckName, denial: Denial): AuditEntry {
  const { actor, facts } = submission;
  const base = { actor, at: facts.now, requestId, sessionId: facts.session.id };
  const fields = { ...callFields(submission), code: denial.code, check };
  if (denial.isProposal) return { ...base, type: "request.proposed", fields };
  const field = denial.field === undefined ? {} : { field: denial.field };
  return { ...base, type: "request.denied", fields: { ...fields, ...field, proposal: false } };
}

/** False where another call with the same idempotency key was faster. */
async function insert(submission: Submission, row: Record<string, unknown>, entry: AuditEntry): Promise<boolean> {
  try {
    await withOrgSql(submission.actor.orgId, async (q) => {
      await q.query(INSERT_REQUEST, [JSON.stringify(row)]);
      await auditSql(q, [entry]);
    });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}
