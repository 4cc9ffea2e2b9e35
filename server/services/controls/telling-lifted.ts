import { approvalRequested } from "@/inngest/client";
import { wakeAll } from "@/inngest/wake";
import { withOrgSql } from "@/server/db/with-org";

type Waiting = { readonly approvalId: string; readonly requestId: string };

/**
 * Runs what may lift a control, and wakes the work of what it held: from then on people are asked, and its time counts
 * anew. Triggers hold and lift with each control; what another control still stops stays held.
 */
export async function tellingLifted<T>(orgId: string, change: () => Promise<T>): Promise<T> {
  const held = await waiting(orgId, "is_held", []);
  const result = await change();
  if (held.length === 0) return result;
  const ids = held.map(({ approvalId }) => approvalId);
  const lifted = await waiting(orgId, "NOT is_held AND id = ANY ($1)", [ids]);
  await wakeAll(lifted.map((one) => approvalRequested.create({ organizationId: orgId, ...one })));
  return result;
}

/** The clause is program text, never input. */
const waiting = (orgId: string, clause: string, values: readonly unknown[]): Promise<readonly Waiting[]> =>
  withOrgSql(orgId, async (q) => {
    const { rows } = await q.query<Waiting>(
      `SELECT id AS "approvalId", request_id AS "requestId" FROM approval WHERE org_id = app.org_id() AND status = 'pending' AND ${clause}`,
      values,
    );
    return rows;
  });
