import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { blockedNow } from "@/server/services/approvals/blocked-now";
import { changedSince, isAged } from "@/server/services/approvals/changed-since";
import { readApprovals, readUndoSeconds, toView } from "@/server/services/approvals/read-model";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";

/** One approval with the exact call; of one that has waited for more than a day without an end, what changed since. */
export const getApproval = command({
  name: "approval.get",
  callers: ["member"],
  permission: "approval:read",
  input: z.strictObject({ id: idOf("approval") }),
  run: async (actor, { id }) => {
    const { row, undoS, isOld } = await withOrgSql(actor.orgId, async (q) => {
      const [found] = await readApprovals(q, actor, "a.id = $2", [id]);
      return { row: found, undoS: await readUndoSeconds(q), isOld: found !== undefined && (await isAged(q, id)) };
    });
    if (row === undefined) throw notFound("approval");
    const view = await toView(actor.orgId, actor, row, undoS);
    const isStill = view.blocked !== null && view.status === "pending";
    const blocked = isStill ? await blockedNow(actor.orgId, id, view.blocked) : view.blocked;
    return {
      ...view,
      blocked,
      changedSince: isOld ? await changedSince(actor.orgId, id, !view.isContentWithheld) : null,
    };
  },
});
