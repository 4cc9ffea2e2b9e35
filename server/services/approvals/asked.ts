import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { satisfies } from "@/server/domain/approval-reasons";
import { AppError } from "@/server/domain/errors";
import { DENIALS } from "@/server/domain/verdict";
import { askAnew } from "@/server/services/approvals/ask-anew";
import { seesApproval, seesByRight } from "@/server/services/approvals/authority";
import { admit } from "@/server/services/approvals/may-decide";
import { auditSql } from "@/server/services/audit/record";
import { notFound } from "@/server/services/failures";
import { type Recheck, recheck } from "@/server/services/gateway/recheck";
import {
  readApproval,
  readRequest,
  type StoredApproval,
  type StoredRequest,
} from "@/server/services/requests/stored-request";

/** An approval and the request that it is about. */
export type Asked = { readonly approval: StoredApproval; readonly request: StoredRequest };

/** What a person answers: which approval, the digest that was seen, and what. */
type Answering = { readonly digest: string; readonly decision: "approve" | "reject" };

/** The same for a person to answer. Throws `not_found` also for what no right of who sees by right covers. */
export async function loadShown(actor: MemberActor, id: string): Promise<Asked> {
  const isThere = !seesByRight(actor) || (await withOrgSql(actor.orgId, (q) => seesApproval(q, actor, id)));
  if (!isThere) throw notFound("approval");
  return loadAsked(actor.orgId, id);
}

/** Reads an approval with its request. Throws `not_found`. */
export async function loadAsked(orgId: string, id: string): Promise<Asked> {
  const asked = await withOrgSql(orgId, async (q) => {
    const approval = await readApproval(q, { id });
    const request = approval === null ? null : await readRequest(q, approval.requestId);
    return approval === null || request === null ? null : { approval, request };
  });
  if (asked === null) throw notFound("approval");
  return asked;
}

/**
 * Before an approval counts, the request is judged by the rules of this moment. Throws `conflict` for what is refused
 * now, and for what is no longer what was shown, which is asked anew. Null for a rejection, which needs no such thing, and
 * for what is refused where an edited version takes its place, which is judged by itself.
 */
export async function recheckShown(
  actor: MemberActor,
  input: Answering,
  asked: Asked,
  { isReplaced = false }: { readonly isReplaced?: boolean } = {},
): Promise<Extract<Recheck, { kind: "passed" }> | null> {
  const { approval, request } = asked;
  if (input.decision === "reject" || approval.status !== "pending" || approval.digest !== input.digest) return null;
  const checked = await recheck(actor.orgId, request);
  if (checked.kind === "refused" && isReplaced) return null;
  if (checked.kind === "refused") throw await refused(actor, input, asked, blocked(checked));
  const isSame = checked.digest === approval.digest && satisfies(approval.reasons, checked.reasons);
  if (isSame) return checked;
  // Who may not decide it has nothing asked anew, and what is over stays over.
  const admitted = await withOrgSql(actor.orgId, (q) => admit(q, actor, { ...input, id: approval.id }, asked, null));
  if ("error" in admitted) throw await refused(actor, input, asked, admitted.error);
  await askAnew(actor, asked, checked);
  throw await refused(actor, input, asked, changed());
}

/** What a check refuses at this moment cannot be approved. */
export const blocked = ({ check, denial }: Extract<Recheck, { kind: "refused" }>) =>
  new AppError("conflict", `Not approved, nothing ran. ${DENIALS[denial.code]}`, {
    reason: "blocked",
    extra: { check, blockedBy: denial.code },
  });

const changed = () =>
  new AppError("conflict", "Not approved, nothing ran. What you saw has changed; it is asked again as it stands now.", {
    reason: "changed",
  });

/** Records an attempt that decided nothing; answers with the error to throw. */
export async function refused(
  actor: MemberActor,
  input: Answering,
  { approval, request }: Asked,
  error: AppError,
): Promise<AppError> {
  await withOrgSql(actor.orgId, async (q) => {
    const { rows } = await q.query<{ now: Date }>("SELECT clock_timestamp() AS now");
    await auditSql(q, {
      type: "approval.refused",
      actor,
      at: rows[0]?.now ?? new Date(),
      requestId: request.id,
      agentId: request.agentId,
      sessionId: request.sessionId,
      fields: { approval: approval.id, action: request.action, code: error.reason, decision: input.decision },
    });
  });
  return error;
}
