import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { isUniqueViolation } from "@/server/db/unique";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { MAX_ABSENCE_AHEAD_DAYS, MAX_ABSENCE_DAYS } from "@/server/domain/absence";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { type AbsenceView, readAbsences } from "@/server/services/absences/absence-view";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { invalidField } from "@/server/services/failures";
import { databaseNow } from "@/server/services/identity/create-organization";
import { requireAuthorityOver } from "@/server/services/identity/members/authority";
import { lockMember } from "@/server/services/identity/members/lock-member";

const fields = {
  from: z.iso.datetime().optional(),
  until: z.iso.datetime(),
  delegate: idOf("member"),
};
const ownInput = z.strictObject(fields);
const inputFor = z.strictObject({ member: idOf("member"), ...fields });
type Input = z.output<typeof inputFor>;

/**
 * Says that one is out until a time, and who stands in: somebody who may decide at least as much. It moves who is told
 * and expected, and gives nobody a say. Throws `invalid` for the times or the delegate, `conflict` for who is out
 * already and for who decides nothing.
 */
export const setAbsence = command({
  name: "absence.set",
  callers: ["member"],
  permission: "self:manage",
  input: ownInput,
  run: (actor, input) => set(actor, { ...input, member: actor.memberId }),
});

/** The same for somebody else: admins and owners may, for who is of no higher role. */
export const setAbsenceFor = command({
  name: "absence.set_for",
  callers: ["member"],
  permission: "member:manage",
  input: inputFor,
  run: (actor, input) => set(actor, input),
});

async function set(actor: MemberActor, input: Input): Promise<AbsenceView> {
  try {
    return await withOrgSql(actor.orgId, (q) => setLocked(q, actor, input));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError(
      "conflict",
      "An absence is set already. End it first.",
      { reason: "already_away" },
      {
        cause: error,
      },
    );
  }
}

async function setLocked(q: OrgSql, actor: MemberActor, input: Input): Promise<AbsenceView> {
  const { member, delegate } = input;
  const { before } = await lockMember(q, member);
  if (member !== actor.memberId) requireAuthorityOver(actor, before.role);
  if (before.isDisabled) throw new AppError("conflict", "This member is disabled.", { reason: "disabled" });
  const now = await databaseNow(q);
  const { from, until } = timesOf(input, now);
  await requireEqual(q, member, delegate);
  // What is over is closed, and makes room.
  await q.query(
    "UPDATE absence SET ended_at = ends_at WHERE member_id = $1 AND ended_at IS NULL AND ends_at <= clock_timestamp()",
    [member],
  );
  const id = newId("absence");
  await q.query(
    `INSERT INTO absence (id, org_id, member_id, delegate_id, starts_at, ends_at, set_by)
     VALUES ($1, app.org_id(), $2, $3, $4, $5, $6)`,
    [id, member, delegate, from, until, actor.memberId],
  );
  const times = { from: from.toISOString(), until: until.toISOString() };
  await auditSql(q, { type: "absence.set", actor, at: now, fields: { absence: id, member, delegate, ...times } });
  const [view] = await readAbsences(q, member);
  if (view === undefined) throw new Error("the absence that was set is there");
  return view;
}

const DAY_MS = 86_400_000;

function timesOf({ from, until }: Input, now: Date): { from: Date; until: Date } {
  const starts = from === undefined || new Date(from) < now ? now : new Date(from);
  const ends = new Date(until);
  if (starts.getTime() > now.getTime() + MAX_ABSENCE_AHEAD_DAYS * DAY_MS) {
    throw invalidField("from", `must be within ${MAX_ABSENCE_AHEAD_DAYS} days`);
  }
  if (ends <= starts) throw invalidField("until", "must be after the start and not in the past");
  if (ends.getTime() > starts.getTime() + MAX_ABSENCE_DAYS * DAY_MS) {
    throw invalidField("until", `must be at most ${MAX_ABSENCE_DAYS} days after the start`);
  }
  return { from: starts, until: ends };
}

const POWERS = `SELECT app.equals_power(m, d) AS "isEqual",
    app.rank(m.role) > 0 OR EXISTS (SELECT 1 FROM approval_right x WHERE x.member_id = m.id AND x.withdrawn_at IS NULL) AS "isAny"
  FROM member m LEFT JOIN member d ON d.org_id = m.org_id AND d.id = $2 WHERE m.id = $1`;

/** A delegate never gains by it: whoever is chosen may decide at least as much by themselves. */
async function requireEqual(q: OrgSql, member: string, delegate: string): Promise<void> {
  const { rows } = await q.query<{ isEqual: boolean | null; isAny: boolean }>(POWERS, [member, delegate]);
  if (rows[0]?.isAny !== true) {
    throw new AppError("conflict", "Nobody needs to stand in: this member decides nothing.", {
      reason: "decides_nothing",
    });
  }
  if (rows[0].isEqual !== true) {
    throw invalidField(
      "delegate",
      "must be another active member whose role and rights let them decide at least as much",
    );
  }
}
