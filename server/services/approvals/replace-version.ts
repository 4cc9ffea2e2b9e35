import type { OrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { mergeRequirements, returnReason } from "@/server/domain/approval-reasons";
import { AppError } from "@/server/domain/errors";
import { askApproval } from "@/server/services/approvals/ask-approval";
import type { Asked } from "@/server/services/approvals/asked";
import { auditSql } from "@/server/services/audit/record";
import type { Recheck } from "@/server/services/gateway/recheck";
import { currentRuleVersion, merged, voidApprovals } from "@/server/services/requests/return-to-queue";

/** An edited call, sealed, with the nonce that its digest was made with. */
export type Edit = {
  readonly nonce: Buffer;
  readonly sealed: Buffer;
  readonly fields: readonly string[];
  /** Milliseconds that reading the version that was shown takes at least. */
  readonly readingMs: number;
};

/**
 * Puts an edited version in the place of the one that was shown, in the caller's transaction with the approval's row
 * locked: the old version is kept, its approval with all that was given for it is void, and another is opened that
 * asks for what the new version takes by the rules of now. Throws `conflict` where the request no longer waits.
 */
export async function replaceVersion(
  q: OrgSql,
  actor: MemberActor,
  { approval, request }: Asked,
  { checked, edit }: { readonly checked: Extract<Recheck, { kind: "passed" }>; readonly edit: Edit },
): Promise<Asked> {
  await keepOld(q, actor, { approval, request });
  await writeNew(q, request.id, approval.digest, checked, edit);
  await voidApprovals(q, [approval.id]);
  // Who writes a text anew does not word their way around a second person; less of something may take one.
  const forTwo = isReworded(checked, edit) ? approval.reasons.filter(({ people }) => people === 2) : [];
  const reasons = merged([...checked.reasons, ...forTwo, returnReason("edited")]);
  const ruleVersion = await currentRuleVersion(q);
  const { digest, facts } = checked;
  const asked = await askApproval(q, { requestId: request.id, digest, action: request.action, reasons, ruleVersion });
  const { agentId, sessionId, action } = request;
  const base = { actor, at: facts.now, requestId: request.id, agentId, sessionId };
  const fields = { action, from: approval.digest, to: digest, changed: [...edit.fields], approval: asked.id };
  await auditSql(q, [
    { ...base, type: "approval.voided", fields: { approval: approval.id, action, why: "edited" } },
    { ...base, type: "request.edited", fields },
    { ...asked.entry(actor, facts.now), agentId, sessionId },
  ]);
  await q.query("SELECT app.tell('approval', $1)", [approval.id]);
  const { role, people } = mergeRequirements(reasons);
  return {
    approval: {
      id: asked.id,
      requestId: request.id,
      status: "pending",
      digest,
      reasons,
      requiredRole: role,
      requiredPeople: people,
      ruleVersion,
    },
    request: { ...request, digest, nonce: edit.nonce, sealedArguments: edit.sealed, version: request.version + 1 },
  };
}

const isReworded = ({ call }: Extract<Recheck, { kind: "passed" }>, { fields }: Edit): boolean =>
  fields.some((field) => ["text", "optional_text"].includes(call.action.edits[field] ?? ""));

async function keepOld(q: OrgSql, actor: MemberActor, { approval, request }: Asked): Promise<void> {
  await q.query(
    `INSERT INTO request_edit (org_id, approval_id, request_id, member_id, nonce, digest, sealed_arguments)
     SELECT app.org_id(), $1, r.id, $3, r.nonce, r.digest, r.sealed_arguments FROM tool_request r WHERE r.org_id = app.org_id() AND r.id = $2`,
    [approval.id, request.id, actor.memberId],
  );
}

async function writeNew(
  q: OrgSql,
  requestId: string,
  shown: string,
  { call, grant, digest }: Extract<Recheck, { kind: "passed" }>,
  edit: Edit,
): Promise<void> {
  const { effect, risk, outward, irreversible } = call.classification;
  const { rowCount } = await q.query(
    `UPDATE tool_request SET version = version + 1, updated_at = clock_timestamp(), nonce = $3, digest = decode($4, 'hex'), sealed_arguments = $5,
       grant_id = $6, grant_version = $7, effect = $8, risk = $9, is_outward = $10, is_irreversible = $11
     WHERE org_id = app.org_id() AND id = $1 AND status = 'pending' AND digest = decode($2, 'hex')`,
    [requestId, shown, edit.nonce, digest, edit.sealed, grant.id, grant.version, effect, risk, outward, irreversible],
  );
  if (rowCount === 1) return;
  throw new AppError("conflict", "Not decided, nothing ran. The request is no longer waiting as you saw it.", {
    reason: "already_decided",
  });
}
