import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { AuditActor } from "@/server/domain/audit";
import { command } from "@/server/services/command";
import { shareClaimsSql } from "@/server/services/controls/lock";
import { returnToQueue } from "@/server/services/requests/return-to-queue";

const BATCH = 200;

type Switch = { at: Date; now: Date; by: string };

/**
 * A batch of what waited to run when the kill switch was thrown, back into the queue: it waits for a person again, and its
 * time stands still. False when nothing is left or no switch is active. None of it runs meanwhile: the switch refuses
 * effects, `execute` whatever else was decided before it, and a release returns what is left before it lifts.
 */
export const returnStopped = command({
  name: "control.return_stopped",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({}),
  run: (actor) => returnBatch(actor.orgId, actor),
});

/** The same for whoever throws or lifts the switch. */
export const returnBatch = (orgId: string, actor: AuditActor): Promise<boolean> =>
  withOrgSql(orgId, async (q) => {
    await shareClaimsSql(q);
    return returnBatchIn(q, actor);
  });

/** The same inside a transaction that holds the control lock. */
export async function returnBatchIn(q: OrgSql, actor: AuditActor): Promise<boolean> {
  const active = await q.query<Switch>(
    `SELECT kill_at AS at, kill_by AS by, clock_timestamp() AS now FROM control_state WHERE kill_level IS NOT NULL`,
  );
  const [thrown] = active.rows;
  if (thrown === undefined) return false;
  const { rows } = await q.query<{ id: string }>(
    `SELECT id FROM tool_request WHERE org_id = app.org_id() AND status IN ('ready', 'scheduled') AND digest IS NOT NULL
       AND updated_at <= $1 ORDER BY id LIMIT $2 FOR UPDATE`,
    [thrown.at, BATCH],
  );
  const back = { why: "held_by_freeze", actor, at: thrown.now, isHeld: true } as const;
  await returnToQueue(
    q,
    rows.map(({ id }) => ({ ...back, requestId: id })),
  );
  return rows.length === BATCH;
}

/** Whether a request was decided before the kill switch that is active now. */
export async function isStopped(q: OrgSql, requestId: string): Promise<boolean> {
  const { rows } = await q.query(
    `SELECT 1 FROM tool_request r, control_state c WHERE r.org_id = app.org_id() AND r.id = $1
       AND c.kill_level IS NOT NULL AND r.updated_at <= c.kill_at`,
    [requestId],
  );
  return rows.length === 1;
}
