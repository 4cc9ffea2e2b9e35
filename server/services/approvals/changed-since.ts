import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { type ApprovalReason, unanswered } from "@/server/domain/approval-reasons";
import type { ChangedSince } from "@/server/domain/changed-since";
import { AppError } from "@/server/domain/errors";
import { DENIALS } from "@/server/domain/verdict";
import { type Asked, loadAsked } from "@/server/services/approvals/asked";
import { type Recheck, recheck } from "@/server/services/gateway/recheck";

const AGED = `SELECT 1 FROM approval a WHERE a.org_id = app.org_id() AND a.id = $1
  AND a.status = 'pending' AND a.expires_at IS NULL AND a.created_at < clock_timestamp() - interval '1 day'`;

/** Whether an approval that does not expire has waited so long that people see what changed. */
export const isAged = async (q: OrgSql, approvalId: string): Promise<boolean> =>
  (await q.query(AGED, [approvalId])).rowCount === 1;

/**
 * Judges what waits by the whole pipeline as it is now, and says how that and what it rests on differ from when it was
 * asked. It decides nothing: a decision judges once more.
 */
export async function changedSince(orgId: string, approvalId: string, maySee: boolean): Promise<ChangedSince> {
  const asked = await loadAsked(orgId, approvalId);
  const checked = await recheckNow(orgId, asked);
  const then = await withOrgSql(orgId, (q) => readThen(q, approvalId, targetsOf(checked)));
  const grantNow = checked?.kind === "passed" ? checked.grant : null;
  const priceNow = checked?.call.action.price ?? null;
  const rulesNow = checked?.facts.organization.ruleVersion ?? then.rule_version;
  return {
    rules: rulesNow === asked.approval.ruleVersion ? null : { from: asked.approval.ruleVersion, to: rulesNow },
    grant: grantPart(then, grantNow),
    price: pricePart(then, checked === null ? undefined : priceNow),
    knownSince: maySee ? then.known : [],
    knownSinceCount: then.known.length,
    ...reasonParts(asked.approval.reasons, checked),
    ...verdictOf(asked, checked),
  };
}

/** Null where the stored call no longer fits its action, which nobody can approve. */
async function recheckNow(orgId: string, { request }: Asked): Promise<Recheck | null> {
  try {
    return await recheck(orgId, request);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid") return null;
    throw error;
  }
}

const targetsOf = (checked: Recheck | null): readonly string[] => checked?.call.classification.targets ?? [];

const thenSchema = z.object({
  rule_version: z.int(),
  grant_id: z.string().nullable(),
  grant_version: z.int().nullable(),
  price_micros: z.string().nullable(),
  price_currency: z.string().nullable(),
  known: z.array(z.string()),
});
type Then = z.output<typeof thenSchema>;

async function readThen(q: OrgSql, approvalId: string, targets: readonly string[]): Promise<Then> {
  const { rows } = await q.query(
    `SELECT o.rule_version, r.grant_id, r.grant_version, r.price_micros::text, r.price_currency,
       ARRAY(SELECT t.target FROM seen_target t WHERE t.org_id = r.org_id AND t.agent_id = r.agent_id AND t.connection_id = r.connection_id
         AND t.target = ANY ($2) AND t.first_at > a.created_at ORDER BY t.target) AS known
     FROM approval a JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id JOIN organization o ON o.id = a.org_id
     WHERE a.org_id = app.org_id() AND a.id = $1`,
    [approvalId, targets],
  );
  return thenSchema.parse(rows[0]);
}

function grantPart(then: Then, now: { id: string; version: number } | null): ChangedSince["grant"] {
  const { grant_id: id, grant_version: from } = then;
  if (id === null || from === null) return null;
  if (now === null || now.id !== id) return { from, to: null };
  return now.version === from ? null : { from, to: now.version };
}

type Price = { readonly micros: bigint; readonly currency: string };

function pricePart(then: Then, now: Price | null | undefined): ChangedSince["price"] {
  if (now === undefined) return null;
  const { price_micros: micros, price_currency: currency } = then;
  const from = micros === null || currency === null ? null : { micros, currency };
  const to = now === null ? null : { micros: now.micros.toString(), currency: now.currency };
  return from?.micros === to?.micros && from?.currency === to?.currency ? null : { from, to };
}

function reasonParts(asked: readonly ApprovalReason[], checked: Recheck | null) {
  if (checked?.kind !== "passed") return { asksBesides: [], asksNoMore: [] };
  const standing = asked.filter(({ kind }) => kind !== "returned");
  const texts = (reasons: readonly ApprovalReason[]) => [...new Set(reasons.map(({ text }) => text))];
  return {
    asksBesides: texts(unanswered(asked, checked.reasons)),
    asksNoMore: texts(unanswered(checked.reasons, standing)),
  };
}

const NO_LONGER_FITS = "The stored call no longer fits its action.";

function verdictOf({ approval }: Asked, checked: Recheck | null): Pick<ChangedSince, "verdict" | "why"> {
  if (checked === null) return { verdict: "refused", why: NO_LONGER_FITS };
  if (checked.kind === "refused") return { verdict: "refused", why: DENIALS[checked.denial.code] };
  if (checked.digest !== approval.digest) return { verdict: "other_call", why: null };
  return { verdict: unanswered(approval.reasons, checked.reasons).length > 0 ? "asks_more" : "as_asked", why: null };
}
