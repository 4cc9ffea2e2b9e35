import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { killLevelSchema } from "@/server/domain/facts";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { readControlRow } from "@/server/services/controls/control-row";
import { holdClaimsSql } from "@/server/services/controls/lock";
import { controlReasonSchema, sealReason } from "@/server/services/controls/reason";
import { recordControlChange } from "@/server/services/controls/record-change";
import { returnAllToQueue } from "@/server/services/requests/return-to-queue";

/**
 * Freezes the organization or locks it down. Once this returns, no effect starts; what was about to run waits for a
 * person again. A freeze may become a lockdown; the other way needs a release. Each activation is a version of its
 * own, so a release that saw an older one does not lift it.
 */
export const activateKillSwitch = command({
  name: "control.activate",
  callers: ["member"],
  permission: "control:activate",
  input: z.strictObject({ level: killLevelSchema, reason: controlReasonSchema }),
  run: (actor, { level, reason }) =>
    withOrgSql(actor.orgId, async (q) => {
      await holdClaimsSql(q);
      const before = await readControlRow(q);
      if (before.killLevel === "lockdown" && level === "freeze") {
        throw new AppError("conflict", "The organization is locked down. Only a release lowers that.", {
          reason: "already_stricter",
        });
      }
      const version = before.version + 1;
      await q.query(
        `UPDATE control_state SET version = $1, kill_level = $2, kill_by = $3, kill_at = $4, kill_reason = $5`,
        [
          version,
          level,
          actor.memberId,
          before.now,
          await sealReason(q, reason, { version: "in_force", isStop: true }),
        ],
      );
      await recordControlChange(q, {
        actor,
        version,
        control: "kill_switch",
        level,
        enabled: true,
        reason,
        isStop: true,
      });
      const at = before.now;
      const returned = await returnAllToQueue(q, { why: "held_by_freeze", actor, at, isHeld: true });
      await auditSql(q, { type: "control.activated", actor, at, fields: { level, version, returned } });
      return { version };
    }),
});
