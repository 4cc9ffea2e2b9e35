import { z } from "zod";
import { approvalRequested } from "@/inngest/client";
import { wakeAll } from "@/inngest/wake";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { versionSchema } from "@/server/domain/version";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { type ControlRow, readControlRow } from "@/server/services/controls/control-row";
import { holdClaimsSql } from "@/server/services/controls/lock";
import { controlReasonSchema } from "@/server/services/controls/reason";
import { recordControlChange } from "@/server/services/controls/record-change";
import { returnBatch, returnBatchIn } from "@/server/services/controls/return-stopped";
import { changedMeanwhile } from "@/server/services/failures";

/**
 * Lifts the kill switch that its caller saw. What it held waits for a person, its time counting from now.
 * An operator's switch in the environment is not touched by this.
 */
export const releaseKillSwitch = command({
  name: "control.release",
  callers: ["member"],
  permission: "control:release",
  input: z.strictObject({ reason: controlReasonSchema, version: versionSchema }),
  run: async (actor, { reason, version: seen }) => {
    // Before the lock, so that agents may read meanwhile; under it there is nothing left, or little.
    while (await returnBatch(actor.orgId, actor));
    const { version, restarted } = await withOrgSql(actor.orgId, async (q) => {
      await holdClaimsSql(q);
      const before = await readControlRow(q);
      const level = requireActive(before, seen);
      while (await returnBatchIn(q, actor));
      const version = before.version + 1;
      await q.query(
        `UPDATE control_state SET version = $1, kill_level = NULL, kill_by = NULL, kill_at = NULL, kill_reason = NULL,
           released_at = $2`,
        [version, before.now],
      );
      await recordControlChange(q, {
        actor,
        version,
        control: "kill_switch",
        level,
        enabled: false,
        reason,
        isStop: false,
      });
      const restarted = await restartHeld(q);
      const fields = { level, version, returned: restarted.length };
      await auditSql(q, { type: "control.released", actor, at: before.now, fields });
      return { version, restarted };
    });
    await wakeAll(restarted.map((ids) => approvalRequested.create({ organizationId: actor.orgId, ...ids })));
    return { version };
  },
});

function requireActive({ version, killLevel }: ControlRow, seen: number) {
  if (version !== seen) throw changedMeanwhile("state of the controls");
  if (killLevel === null) throw new AppError("conflict", "No kill switch is active.", { reason: "not_active" });
  return killLevel;
}

type Restarted = { approvalId: string; requestId: string };

/** Gives everything that was held its whole time again. From now on people are told of it. */
async function restartHeld(q: OrgSql): Promise<Restarted[]> {
  const { rows } = await q.query<Restarted>(
    `UPDATE approval SET is_held = false, expires_at = clock_timestamp() + lifetime_seconds * interval '1 second'
     WHERE org_id = app.org_id() AND status = 'pending' AND is_held RETURNING id AS "approvalId", request_id AS "requestId"`,
  );
  return rows;
}
