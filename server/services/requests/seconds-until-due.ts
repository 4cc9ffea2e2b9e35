import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { command } from "@/server/services/command";

/** Whole seconds until a decided request may be claimed, by the database's clock; null where it does not wait to run. */
export const secondsUntilDue = command({
  name: "tool_request.due",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ requestId: idOf("toolRequest") }),
  run: (actor, { requestId }): Promise<number | null> =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<{ left: number }>(
        `SELECT GREATEST(0, ceil(extract(epoch FROM runs_at - clock_timestamp())))::float8 AS left FROM tool_request
         WHERE org_id = app.org_id() AND id = $1 AND status IN ('ready', 'scheduled')`,
        [requestId],
      );
      return rows[0]?.left ?? null;
    }),
});
