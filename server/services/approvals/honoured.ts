import { z } from "zod";
import type { OrgSql } from "@/server/db/with-org";
import { decides } from "@/server/services/approvals/authority";
import { isSigned } from "@/server/services/approvals/decision-mac";
import { decidesOwnSql } from "@/server/services/approvals/own-request";
import { requestersOf } from "@/server/services/approvals/requesters";
import type { StoredApproval, StoredRequest } from "@/server/services/requests/stored-request";

const rowSchema = z.object({
  id: z.string(),
  member_id: z.string(),
  decision: z.enum(["approve", "reject"]),
  mac: z.instanceof(Buffer),
  decided_at: z.date(),
  decides: z.boolean(),
  decides_own: z.boolean(),
});

/** The members whose approval counts at this moment; `isEnough` when they are as many as the approval asks for. */
export type Honoured = { readonly approvers: readonly string[]; readonly isEnough: boolean };

/**
 * Reads the decisions of an approval and keeps those that still count: signed by this server for this digest, by
 * different people who may decide it now, could when it was asked, and did not ask or may decide that alone at this
 * moment. One rejection leaves none.
 */
export async function honouredDecisions(
  q: OrgSql,
  request: StoredRequest,
  approval: StoredApproval,
): Promise<Honoured> {
  const { rows } = await q.query(
    `SELECT d.id, d.member_id, d.decision, d.mac, d.decided_at, ${decides("$2")} AS decides, ${decidesOwnSql("$3::int")} AS decides_own
     FROM decision d JOIN member m ON m.org_id = d.org_id AND m.id = d.member_id
     JOIN approval a ON a.org_id = d.org_id AND a.id = d.approval_id
     JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id
     JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
     WHERE d.org_id = app.org_id() AND d.approval_id = $1 ORDER BY d.id`,
    [approval.id, approval.requiredRole, approval.requiredPeople],
  );
  const decisions = z.array(rowSchema).parse(rows);
  if (decisions.some((decision) => decision.decision === "reject")) return { approvers: [], isEnough: false };
  const requesters = await requestersOf(q, request.id);
  const counted = decisions.filter(
    (decision) =>
      decision.decides &&
      (decision.decides_own || !requesters.has(decision.member_id)) &&
      isSigned(q.orgId, signedFacts(decision, request, approval), decision.mac),
  );
  const approvers = [...new Set(counted.map((decision) => decision.member_id))];
  return { approvers, isEnough: approvers.length >= approval.requiredPeople };
}

const signedFacts = (decision: z.output<typeof rowSchema>, request: StoredRequest, approval: StoredApproval) => ({
  decisionId: decision.id,
  approvalId: approval.id,
  requestId: request.id,
  digest: approval.digest,
  memberId: decision.member_id,
  decision: decision.decision,
  decidedAt: decision.decided_at.toISOString(),
});
