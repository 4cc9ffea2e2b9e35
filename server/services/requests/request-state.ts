import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { requestStatusSchema } from "@/server/domain/tool-request";
import { whoCouldApprove } from "@/server/services/approvals/who-could";
import { readEdits, type StoredEdit } from "@/server/services/requests/edits";
import { type Ended, readEndedBy } from "@/server/services/requests/ended-by";

const nullableBytes = z.instanceof(Buffer).nullable();
const reasonSchema = z.object({ kind: z.string(), code: z.string(), text: z.string() });

const rowSchema = z.object({
  id: z.string(),
  status: requestStatusSchema,
  version: z.int(),
  denied_check: z.string().nullable(),
  denied_code: z.string().nullable(),
  blocked_check: z.string().nullable(),
  blocked_code: z.string().nullable(),
  error_code: z.string().nullable(),
  runs_at: z.date().nullable(),
  sealed_result: nullableBytes,
  approval_id: z.string().nullable(),
  expires_at: z.date().nullable(),
  reasons: z.array(reasonSchema).nullable(),
  decision_id: z.string().nullable(),
  sealed_reason: nullableBytes,
  taken_up_as: z.string().nullable(),
  sealed_arguments: nullableBytes,
  decided_by: z.array(z.string()),
  is_proposal: z.boolean(),
  is_held: z.boolean().nullable(),
  agent_name: z.string(),
  taken_up_by: z.string().nullable(),
  is_made_good: z.boolean(),
});

/** A request as its row stands, with the approval that waits for a person and the rejection that ended it. */
export type RequestState = ReturnType<typeof toState>;

type Beside = { readonly nobody: string | null; readonly edits: readonly StoredEdit[]; readonly ended: Ended };

function toState(row: z.output<typeof rowSchema>, { nobody, edits, ended }: Beside) {
  const reasons = row.reasons ?? [];
  const approval =
    row.approval_id !== null
      ? {
          id: row.approval_id,
          expiresAt: row.expires_at,
          reasons: reasons.map(({ code, text }) => ({ code, text })),
          nobody,
        }
      : null;
  return {
    id: row.id,
    status: row.status,
    version: row.version,
    deniedCheck: row.denied_check,
    deniedCode: row.denied_code,
    blockedCheck: row.blocked_check,
    blockedCode: row.blocked_code,
    errorCode: row.error_code,
    runsAt: row.runs_at,
    sealedResult: row.sealed_result,
    takenUpAs: row.taken_up_as,
    sealedArguments: row.sealed_arguments,
    edits,
    decidedBy: row.decided_by,
    isProposal: row.is_proposal,
    isHeld: row.is_held ?? false,
    agentName: row.agent_name,
    takenUpBy: row.taken_up_by,
    isMadeGood: row.is_made_good,
    returnedWhy: reasons.find(({ kind }) => kind === "returned")?.code ?? null,
    ended,
    approval,
    rejection:
      row.decision_id !== null && row.sealed_reason !== null
        ? { decisionId: row.decision_id, sealed: row.sealed_reason }
        : null,
  };
}

const FIND = `SELECT r.id, r.status, r.version, r.denied_check, r.denied_code, r.blocked_check, r.blocked_code, r.error_code,
    r.runs_at, r.sealed_result, a.id AS approval_id, a.expires_at, a.reasons, d.id AS decision_id, d.sealed_reason,
    (SELECT t.id FROM tool_request t WHERE t.org_id = r.org_id AND t.taken_up_from_id = r.id) AS taken_up_as,
    r.sealed_arguments, ARRAY(SELECT m.name FROM decision y JOIN member m ON m.org_id = y.org_id AND m.id = y.member_id
      WHERE y.org_id = r.org_id AND y.approval_id = COALESCE(r.approval_id, x.id) ORDER BY y.id) AS decided_by,
    r.is_proposal, a.is_held, g.name AS agent_name,
    (SELECT m.name FROM tool_request t JOIN member m ON m.org_id = t.org_id AND m.id = t.taken_up_by_id
      WHERE t.org_id = r.org_id AND t.taken_up_from_id = r.id) AS taken_up_by,
    EXISTS (SELECT 1 FROM tool_request t WHERE t.org_id = r.org_id AND t.compensates_id = r.id AND t.status = 'succeeded') AS is_made_good
  FROM tool_request r
  JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
  LEFT JOIN approval a ON a.org_id = r.org_id AND a.request_id = r.id AND a.status = 'pending'
  LEFT JOIN approval x ON x.org_id = r.org_id AND x.request_id = r.id AND x.status = 'rejected' AND r.status = 'rejected'
  LEFT JOIN decision d ON d.org_id = x.org_id AND d.approval_id = x.id AND d.decision = 'reject'
  WHERE r.org_id = app.org_id() AND r.id = $1 AND ($2::text IS NULL OR r.agent_id = $2)`;

/** Who ended it is in the log alone; others need not look there. */
const END_IS_LOGGED: ReadonlySet<string> = new Set(["withdrawn", "cancelled", "succeeded", "failed"]);

/** One request of the organization, or of one of its agents; null where there is none that the caller may see. */
export function findRequest(orgId: string, id: string, agentId?: string): Promise<RequestState | null> {
  return withOrgSql(orgId, async (q) => {
    const { rows } = await q.query(FIND, [id, agentId ?? null]);
    if (rows[0] === undefined) return null;
    const row = rowSchema.parse(rows[0]);
    const whoCould = await whoCouldApprove(q, row.approval_id === null ? [] : [row.approval_id]);
    return toState(row, {
      nobody: whoCould.get(row.approval_id ?? "")?.nobody ?? null,
      edits: await readEdits(q, [id]),
      ended: END_IS_LOGGED.has(row.status) ? await readEndedBy(q, id) : { by: null, isResolved: false },
    });
  });
}
