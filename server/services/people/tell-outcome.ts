import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { command } from "@/server/services/command";
import { tellPeople } from "@/server/services/people/tell-people";

const ENDED = ["succeeded", "failed", "rejected", "expired", "withdrawn", "cancelled"];
type Row = { readonly status: string; readonly approval_id: string | null };

// The approval that decided it, or the last that was asked for.
const FIND = `SELECT r.status, COALESCE(r.approval_id,
    (SELECT max(a.id) FROM approval a WHERE a.org_id = r.org_id AND a.request_id = r.id)) AS approval_id
  FROM tool_request r WHERE r.org_id = app.org_id() AND r.id = $1`;

/**
 * Tells who asked how a request ended that waited for a person, and who can look where nobody knows. What no person saw
 * is answered to its agent at once and told to nobody. False where there is nothing to tell.
 */
export const tellOutcome = command({
  name: "tool_request.tell_outcome",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ requestId: idOf("toolRequest") }),
  run: async (actor, { requestId }): Promise<boolean> => {
    const row = await withOrgSql(actor.orgId, async (q) => (await q.query<Row>(FIND, [requestId])).rows[0]);
    const about = { organizationId: actor.orgId, requestId };
    if (row?.status === "outcome_unknown") {
      await tellPeople({ kind: "outcome_unknown", ...about });
      return true;
    }
    if (row === undefined || row.approval_id === null || !ENDED.includes(row.status)) return false;
    await tellPeople({ kind: "approval_ended", ...about, approvalId: row.approval_id });
    return true;
  },
});
