import { z } from "zod";
import { controlActivated } from "@/inngest/client";
import { wake } from "@/inngest/wake";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { killLevelSchema } from "@/server/domain/facts";
import { errorFields, log } from "@/server/log";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { type KillLevel, readControlRow } from "@/server/services/controls/control-row";
import { holdClaimsSql } from "@/server/services/controls/lock";
import { controlReasonSchema, sealReason } from "@/server/services/controls/reason";
import { recordControlChange } from "@/server/services/controls/record-change";
import { returnBatch } from "@/server/services/controls/return-stopped";

/**
 * Freezes the organization or locks it down. Once this returns, no effect starts; what was about to run waits for a
 * person again, the first of it at once and the rest in batches that this does not wait for. A freeze may become a
 * lockdown; the other way needs a release. Each activation is a version of its own, so a release that saw an older one
 * does not lift it.
 */
export const activateKillSwitch = command({
  name: "control.activate",
  callers: ["member"],
  permission: "control:activate",
  input: z.strictObject({ level: killLevelSchema, reason: controlReasonSchema }),
  run: async (actor, { level, reason }) => {
    const version = await withOrgSql(actor.orgId, (q) => throwSwitch(q, actor, level, reason));
    await returnFirst(actor);
    return { version };
  },
});

async function throwSwitch(q: OrgSql, actor: MemberActor, level: KillLevel, reason: string): Promise<number> {
  await holdClaimsSql(q);
  const before = await readControlRow(q);
  if (before.killLevel === "lockdown" && level === "freeze") {
    throw new AppError("conflict", "The organization is locked down. Only a release lowers that.", {
      reason: "already_stricter",
    });
  }
  const version = before.version + 1;
  const sealed = await sealReason(q, reason, { version: "in_force", isStop: true });
  // The database rounds this as it rounds a request's time: what was decided before is never later than the switch.
  await q.query(
    `UPDATE control_state SET version = $1, kill_level = $2, kill_by = $3, kill_at = clock_timestamp(), kill_reason = $4`,
    [version, level, actor.memberId, sealed],
  );
  await recordControlChange(q, { actor, version, control: "kill_switch", level, enabled: true, reason, isStop: true });
  await auditSql(q, { type: "control.activated", actor, at: before.now, fields: { level, version } });
  return version;
}

/** The switch stands whatever becomes of this: what is left is found by the job and the sweep, and by the release. */
async function returnFirst(actor: MemberActor): Promise<void> {
  let isMore = true;
  try {
    isMore = await returnBatch(actor.orgId, actor);
  } catch (error) {
    log.error({ orgId: actor.orgId, ...errorFields(error) }, "what a kill switch stopped is left to the sweep");
  }
  if (isMore) await wake(controlActivated.create({ organizationId: actor.orgId }));
}
