import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";
import { databaseNow } from "@/server/services/identity/create-organization";
import { lockMember } from "@/server/services/identity/members/lock-member";

/** Takes a right to approve back. What it approved and has not run yet counts no more. */
export const withdrawRight = command({
  name: "approval_right.withdraw",
  callers: ["member"],
  permission: "member:manage",
  input: z.strictObject({ id: idOf("approvalRight") }),
  run: (actor, { id }) =>
    withOrgSql(actor.orgId, async (q) => {
      const found = await q.query<{ member_id: string }>("SELECT member_id FROM approval_right WHERE id = $1", [id]);
      const member = found.rows[0]?.member_id;
      if (member === undefined) throw notFound("right to approve");
      // A decision under way by this member comes before or after, never beside.
      await lockMember(q, member);
      const { rowCount } = await q.query(
        "UPDATE approval_right SET withdrawn_at = clock_timestamp(), withdrawn_by = $2 WHERE id = $1 AND withdrawn_at IS NULL",
        [id, actor.memberId],
      );
      if (rowCount !== 1) throw new AppError("conflict", "It was withdrawn already.", { reason: "already_withdrawn" });
      const fields = { right: id, member };
      await auditSql(q, { type: "approval_right.withdrawn", actor, at: await databaseNow(q), fields });
      return { id };
    }),
});
