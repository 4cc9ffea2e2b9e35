import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { readApprovals, readUndoSeconds, toView } from "@/server/services/approvals/read-model";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";

/** One approval with the exact call. */
export const getApproval = command({
  name: "approval.get",
  callers: ["member"],
  permission: "approval:read",
  input: z.strictObject({ id: idOf("approval") }),
  run: async (actor, { id }) => {
    const { row, undoS } = await withOrgSql(actor.orgId, async (q) => {
      const [found] = await readApprovals(q, actor, "a.id = $2", [id]);
      return { row: found, undoS: await readUndoSeconds(q) };
    });
    if (row === undefined) throw notFound("approval");
    return toView(actor.orgId, actor, row, undoS);
  },
});
