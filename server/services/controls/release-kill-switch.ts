import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { versionSchema } from "@/server/domain/version";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { type ControlRow, readControlRow } from "@/server/services/controls/control-row";
import { holdClaimsSql } from "@/server/services/controls/lock";
import { controlReasonSchema } from "@/server/services/controls/reason";
import { recordControlChange } from "@/server/services/controls/record-change";
import { returnBatch, returnBatchIn } from "@/server/services/controls/return-stopped";
import { tellingLifted } from "@/server/services/controls/telling-lifted";
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
  run: (actor, input) => tellingLifted(actor.orgId, () => release(actor, input)),
});

type Input = { readonly reason: string; readonly version: number };

async function release(actor: MemberActor, { reason, version: seen }: Input): Promise<{ version: number }> {
  // Before the lock, so that agents may read meanwhile; under it there is nothing left, or little.
  while (await returnBatch(actor.orgId, actor));
  return withOrgSql(actor.orgId, async (q) => {
    await holdClaimsSql(q);
    const before = await readControlRow(q);
    const level = requireActive(before, seen);
    while (await returnBatchIn(q, actor));
    const held = await countHeld(q);
    const version = before.version + 1;
    // Lifts what it held as well: a trigger does.
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
    const fields = { level, version, returned: held - (await countHeld(q)) };
    await auditSql(q, { type: "control.released", actor, at: before.now, fields });
    return { version };
  });
}

function requireActive({ version, killLevel }: ControlRow, seen: number) {
  if (version !== seen) throw changedMeanwhile("state of the controls");
  if (killLevel === null) throw new AppError("conflict", "No kill switch is active.", { reason: "not_active" });
  return killLevel;
}

async function countHeld(q: OrgSql): Promise<number> {
  const { rows } = await q.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM approval WHERE org_id = app.org_id() AND status = 'pending' AND is_held",
  );
  return rows[0]?.count ?? 0;
}
