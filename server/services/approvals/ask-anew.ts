import { approvalRequested } from "@/inngest/client";
import { wake } from "@/inngest/wake";
import { withOrgSql } from "@/server/db/with-org";
import { returnReason } from "@/server/domain/approval-reasons";
import type { AuditActor } from "@/server/domain/audit";
import { askApproval } from "@/server/services/approvals/ask-approval";
import { auditSql } from "@/server/services/audit/record";
import type { Recheck } from "@/server/services/gateway/recheck";
import { currentRuleVersion, merged, voidApprovals } from "@/server/services/requests/return-to-queue";
import type { StoredApproval, StoredRequest } from "@/server/services/requests/stored-request";

type Asked = { readonly approval: StoredApproval; readonly request: StoredRequest };

/**
 * A pending request is no longer what its approval was asked for: that approval is void and another is opened for
 * the request as it stands. Does nothing where somebody else was faster.
 */
export async function askAnew(
  actor: AuditActor & { readonly orgId: string },
  { approval, request }: Asked,
  checked: Extract<Recheck, { kind: "passed" }>,
): Promise<void> {
  const opened = await withOrgSql(actor.orgId, async (q) => {
    const moved = await q.query(
      `UPDATE tool_request SET version = version + 1, updated_at = clock_timestamp(), digest = decode($2, 'hex'), grant_id = $3, grant_version = $4
       WHERE org_id = app.org_id() AND id = $1 AND status = 'pending' AND digest = decode($5, 'hex')`,
      [request.id, checked.digest, checked.grant.id, checked.grant.version, approval.digest],
    );
    if (moved.rowCount !== 1) return null;
    await voidApprovals(q, [approval.id]);
    const why = checked.digest === approval.digest ? "stricter" : "changed";
    const asked = await askApproval(q, {
      requestId: request.id,
      digest: checked.digest,
      action: request.action,
      reasons: merged([...checked.reasons, ...approval.reasons, returnReason(why)]),
      ruleVersion: await currentRuleVersion(q),
    });
    const base = {
      actor,
      at: checked.facts.now,
      requestId: request.id,
      agentId: request.agentId,
      sessionId: request.sessionId,
    };
    await auditSql(q, [
      { ...base, type: "approval.voided", fields: { approval: approval.id, action: request.action, why } },
      asked.entry(actor, checked.facts.now),
    ]);
    await q.query("SELECT app.tell('approval', $1), app.tell('request', $2)", [asked.id, request.id]);
    return asked.id;
  });
  if (opened === null) return;
  await wake(approvalRequested.create({ organizationId: actor.orgId, approvalId: opened, requestId: request.id }));
}
