import type { OrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { TOO_QUICK } from "@/server/domain/approval-reasons";
import { AppError } from "@/server/domain/errors";
import { isTooQuick, leastReadingMs, type ReadingTime } from "@/server/domain/reading-time";
import type { Asked } from "@/server/services/approvals/asked";
import type { Answering } from "@/server/services/approvals/insert-decision";
import type { Edit } from "@/server/services/approvals/replace-version";
import type { Recheck } from "@/server/services/gateway/recheck";

type Passed = Extract<Recheck, { kind: "passed" }>;
type Shown = { readonly asked: Asked; readonly isOwn: boolean };

/**
 * An answer at this moment of the database's clock. An owner who is alone has nobody to be the second person that a
 * rule asks for: too quick is an error for them.
 */
export async function answeringOf(
  q: OrgSql,
  actor: MemberActor,
  { asked, isOwn }: Shown,
  checked: Passed | null,
  edit: Edit | null,
): Promise<Answering | { readonly error: AppError }> {
  const reading = checked === null ? null : await readingTime(q, actor, asked, leastMsOf(checked, edit));
  const answering = { at: await clock(q), isOwn, reading };
  return isOwn && isUnread(asked, answering) ? { error: readFirst() } : answering;
}

/**
 * Since when this person had an approval before them, and how long reading what is approved takes at least. In the web
 * app that is when they first opened it; for an answer in Slack, where a card was there earlier, since then.
 */
async function readingTime(q: OrgSql, actor: MemberActor, { approval }: Asked, leastMs: number): Promise<ReadingTime> {
  const { rows } = await q.query<{ opened_at: Date | null }>(
    `SELECT LEAST(
       (SELECT o.opened_at FROM approval_opening o WHERE o.org_id = app.org_id() AND o.approval_id = $1 AND o.member_id = $2),
       (SELECT min(c.created_at) FROM slack_card c WHERE c.org_id = app.org_id() AND c.approval_id = $1 AND c.ts IS NOT NULL AND $3)
     ) AS opened_at`,
    [approval.id, actor.memberId, actor.via === "slack"],
  );
  return { openedAt: rows[0]?.opened_at ?? null, leastMs };
}

/** Of an edit both versions are read; the longer one counts. */
const leastMsOf = ({ call }: Passed, edit: Edit | null): number =>
  Math.max(leastReadingMs(call.json), edit?.readingMs ?? 0);

async function clock(q: OrgSql): Promise<Date> {
  const { rows } = await q.query<{ at: Date }>("SELECT date_trunc('milliseconds', clock_timestamp()) AS at");
  if (rows[0] === undefined) throw new Error("the database has a clock");
  return rows[0].at;
}

/** Whether it is approved sooner than it can be read, where a rule asks for a second person then. */
export function isUnread({ approval }: Asked, { reading, at }: Answering): boolean {
  const asksSecond = approval.requiredPeople === 1 && approval.reasons.some((reason) => reason.secondIfQuick === true);
  return asksSecond && reading !== null && isTooQuick(reading, at);
}

const readFirst = () =>
  new AppError("conflict", "Not approved, nothing ran. Read it first: a rule asks for that, and nobody else could.", {
    reason: "read_first",
  });

/** Makes it take a second person, and says why. Its row is locked, so nobody else answers meanwhile. */
export async function askSecond(q: OrgSql, { approval, request }: Asked): Promise<Asked> {
  await q.query(
    "UPDATE approval SET required_people = 2, reasons = reasons || $2::jsonb WHERE org_id = app.org_id() AND id = $1",
    [approval.id, JSON.stringify([TOO_QUICK])],
  );
  return { request, approval: { ...approval, requiredPeople: 2, reasons: [...approval.reasons, TOO_QUICK] } };
}
