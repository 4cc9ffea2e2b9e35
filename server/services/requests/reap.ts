import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import type { SystemActor } from "@/server/domain/actor";
import { idOf } from "@/server/domain/ids";
import { auditJson } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { readRequest } from "@/server/services/requests/stored-request";

/** Marks a claimed run whose lease has ended as of unknown outcome, which a person resolves. False where it is not so. */
export const reapRequest = command({
  name: "tool_request.reap",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ requestId: idOf("toolRequest") }),
  run: (actor: SystemActor, { requestId }): Promise<boolean> =>
    withOrgSql(actor.orgId, async (q) => {
      const request = await readRequest(q, requestId);
      if (request === null) return false;
      const now = await q.query<{ now: Date }>("SELECT clock_timestamp() AS now");
      const audit = auditJson(actor.orgId, {
        type: "request.outcome_unknown",
        actor,
        at: now.rows[0]?.now ?? new Date(),
        requestId,
        agentId: request.agentId,
        sessionId: request.sessionId,
        fields: { action: request.action, code: "crashed" },
      });
      const { rows } = await q.query<{ reaped: boolean }>("SELECT app.reap($1, $2, $3) AS reaped", [
        actor.orgId,
        requestId,
        JSON.stringify(audit),
      ]);
      return rows[0]?.reaped ?? false;
    }),
});
