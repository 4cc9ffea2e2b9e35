import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { seesApproval } from "@/server/services/approvals/authority";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";

/**
 * Notes that the caller has a waiting approval before them. The first time counts, by the database's clock; of what no
 * longer waits nothing is noted. It decides nothing, so the log has it with the decision only. Throws `not_found`.
 */
export const openApproval = command({
  name: "approval.open",
  callers: ["member"],
  permission: "approval:read",
  input: z.strictObject({ id: idOf("approval") }),
  run: (actor, { id }) =>
    withOrgSql(actor.orgId, async (q) => {
      if (!(await seesApproval(q, actor, id))) throw notFound("approval");
      await q.query(
        `INSERT INTO approval_opening (org_id, approval_id, member_id, opened_at)
         SELECT a.org_id, a.id, $2, clock_timestamp() FROM approval a
         WHERE a.org_id = app.org_id() AND a.id = $1 AND a.status = 'pending' ON CONFLICT DO NOTHING`,
        [id, actor.memberId],
      );
      return {};
    }),
});
