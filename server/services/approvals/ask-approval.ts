import { newId } from "@/server/db/new-id";
import type { OrgSql } from "@/server/db/with-org";
import { type ApprovalReason, mergeRequirements } from "@/server/domain/approval-reasons";
import type { AuditActor, AuditEntry } from "@/server/domain/audit";
import { env } from "@/server/env";

export type Question = {
  readonly requestId: string;
  readonly digest: string;
  readonly action: string;
  readonly reasons: readonly ApprovalReason[];
  readonly ruleVersion: number;
  /** To be held where a control stops it at this moment: it does not expire before that is lifted. */
  readonly isHeld?: boolean;
};

export type Asked = {
  readonly id: string;
  readonly requestId: string;
  /** Null where it does not expire. */
  readonly expiresAt: Date | null;
  readonly isHeld: boolean;
  readonly entry: (actor: AuditActor, at: Date) => AuditEntry;
};

/** Opens the approval of a pending request; the database's clock sets its end. At most one is open for a request. */
export async function askApproval(q: OrgSql, question: Question): Promise<Asked> {
  const [asked] = await askApprovals(q, [question]);
  if (asked === undefined) throw new Error("the approval was not stored");
  return asked;
}

/** The same for many requests, in one statement however many they are. In the order of the questions. */
export async function askApprovals(q: OrgSql, questions: readonly Question[]): Promise<Asked[]> {
  const drafts = questions.map(draftOf);
  const { rows } = await q.query<Stored>(
    `INSERT INTO approval (id, org_id, request_id, digest, reasons, required_role, required_people, rule_version, is_held, lifetime_seconds, expires_at, asked_at)
     SELECT d.id, app.org_id(), d.request_id, decode(d.digest, 'hex'), d.reasons, d.role, d.people, d.rule_version, d.is_held AND app.is_stopped(d.request_id), l.seconds,
       clock_timestamp() + make_interval(secs => l.seconds),
       -- Asked anew, it is still what was asked then: who came to their authority since does not decide it.
       COALESCE((SELECT min(x.asked_at) FROM approval x WHERE x.org_id = app.org_id() AND x.request_id = d.request_id), CURRENT_TIMESTAMP)
     FROM jsonb_to_recordset($1::jsonb) AS d(id text, request_id text, digest text, reasons jsonb, role text, people int, rule_version int,
       is_held boolean, lifetime int, is_default boolean)
     -- What a project asks does not expire, unless a rule says when.
     CROSS JOIN LATERAL (SELECT CASE WHEN d.is_default AND EXISTS (SELECT 1 FROM tool_request r JOIN task t ON t.org_id = r.org_id AND t.id = r.task_id
       WHERE r.org_id = app.org_id() AND r.id = d.request_id AND t.kind = 'project') THEN NULL ELSE d.lifetime END AS seconds) l
     RETURNING id, expires_at, is_held`,
    [JSON.stringify(drafts)],
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  return questions.map((question, index) => askedOf(question, drafts[index], stored));
}

type Stored = { readonly id: string; readonly expires_at: Date | null; readonly is_held: boolean };
type Draft = ReturnType<typeof draftOf>;

function draftOf(question: Question) {
  const { people, role, expiresMinutes } = mergeRequirements(question.reasons);
  return {
    id: newId("approval"),
    request_id: question.requestId,
    digest: question.digest,
    reasons: question.reasons,
    role,
    people,
    rule_version: question.ruleVersion,
    is_held: question.isHeld ?? false,
    lifetime: lifetimeOf(expiresMinutes),
    is_default: expiresMinutes === null,
  };
}

/** In seconds; null where it does not expire. */
function lifetimeOf(expiresMinutes: number | null): number | null {
  if (expiresMinutes === null) return env().APPROVAL_TIMEOUT;
  return expiresMinutes === 0 ? null : expiresMinutes * 60;
}

function askedOf(question: Question, draft: Draft | undefined, stored: ReadonlyMap<string, Stored>): Asked {
  const row = stored.get(draft?.id ?? "");
  if (draft === undefined || row === undefined) throw new Error("the approval was not stored");
  const { expires_at: expiresAt, is_held: isHeld } = row;
  const entry = (actor: AuditActor, at: Date): AuditEntry => ({
    type: "approval.requested",
    actor,
    at,
    requestId: question.requestId,
    fields: {
      approval: draft.id,
      action: question.action,
      reasons: question.reasons.map((reason) => reason.code),
      digest: question.digest,
      requiredRole: draft.role,
      requiredPeople: draft.people,
      ruleVersion: question.ruleVersion,
      expiresAt: expiresAt?.toISOString() ?? "never",
    },
  });
  return { id: draft.id, requestId: question.requestId, expiresAt, isHeld, entry };
}
