import { withOrgSql } from "@/server/db/with-org";
import type { AgentActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";

/** How an effect ends that may have left something to make good for. Both are final. */
const COMPENSABLE = ["succeeded", "outcome_unknown"];

/**
 * Making good is an ordinary request that names what it is for: one of the same agent that ran. Throws `invalid`; a
 * request of somebody else reads like one that does not exist.
 */
export async function requireCompensable({ orgId, agentId }: AgentActor, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const { rows } = await withOrgSql(orgId, (q) =>
    q.query<{ may: boolean }>(
      "SELECT status = ANY ($3) AS may FROM tool_request WHERE org_id = app.org_id() AND id = $1 AND agent_id = $2",
      [id, agentId, COMPENSABLE],
    ),
  );
  const [row] = rows;
  if (row?.may) return;
  const why = row === undefined ? "names no request of yours" : "names a request that did not run";
  throw new AppError("invalid", `compensates: ${why}`, { reason: "not_compensable", field: "compensates" });
}
