import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";
import { databaseNow } from "@/server/services/identity/create-organization";
import { requireAuthorityOver } from "@/server/services/identity/members/authority";
import { lockMember } from "@/server/services/identity/members/lock-member";

/** Ends one's own absence before its time, whether it has begun or not. Throws `conflict` where there is none. */
export const endAbsence = command({
  name: "absence.end",
  callers: ["member"],
  permission: "self:manage",
  input: z.strictObject({}),
  run: (actor) =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<{ id: string }>(
        "SELECT id FROM absence WHERE org_id = app.org_id() AND member_id = $1 AND ended_at IS NULL",
        [actor.memberId],
      );
      if (rows[0] === undefined) throw overAlready();
      return end(q, actor, rows[0].id, actor.memberId);
    }),
});

/** The same for somebody else's: admins and owners may, for who is of no higher role. */
export const endAbsenceFor = command({
  name: "absence.end_for",
  callers: ["member"],
  permission: "member:manage",
  input: z.strictObject({ id: idOf("absence") }),
  run: (actor, { id }) =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<{ member_id: string }>(
        "SELECT member_id FROM absence WHERE org_id = app.org_id() AND id = $1",
        [id],
      );
      const member = rows[0]?.member_id;
      if (member === undefined) throw notFound("absence");
      const { before } = await lockMember(q, member);
      if (member !== actor.memberId) requireAuthorityOver(actor, before.role);
      return end(q, actor, id, member);
    }),
});

const overAlready = () => new AppError("conflict", "This absence is over.", { reason: "absence_over" });

async function end(q: OrgSql, actor: MemberActor, id: string, member: string): Promise<{ id: string }> {
  const { rowCount } = await q.query(
    `UPDATE absence SET ended_at = clock_timestamp(), ended_by = $2
     WHERE org_id = app.org_id() AND id = $1 AND ended_at IS NULL AND ends_at > clock_timestamp()`,
    [id, actor.memberId],
  );
  if (rowCount !== 1) throw overAlready();
  const fields = { absence: id, member };
  await auditSql(q, { type: "absence.ended", actor, at: await databaseNow(q), fields });
  return { id };
}
