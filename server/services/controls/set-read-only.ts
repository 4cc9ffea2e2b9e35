import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { readControlRow } from "@/server/services/controls/control-row";
import { holdClaimsSql } from "@/server/services/controls/lock";
import { controlReasonSchema } from "@/server/services/controls/reason";
import { recordControlChange } from "@/server/services/controls/record-change";
import { tellingLifted } from "@/server/services/controls/telling-lifted";

/** Makes every effect a proposal, or lets effects run again. Asking for what is so already changes nothing. */
export const setReadOnly = command({
  name: "control.set_read_only",
  callers: ["member"],
  permission: "control:activate",
  input: z.strictObject({ enabled: z.boolean(), reason: controlReasonSchema }),
  run: (actor, { enabled, reason }) =>
    tellingLifted(actor.orgId, () =>
      withOrgSql(actor.orgId, async (q) => {
        await holdClaimsSql(q);
        const before = await readControlRow(q);
        if (before.readOnly === enabled) return { version: before.version };
        const version = before.version + 1;
        await q.query("UPDATE control_state SET version = $1, read_only = $2", [version, enabled]);
        await recordControlChange(q, { actor, version, control: "read_only", enabled, reason, isStop: enabled });
        const fields = { control: "read_only", enabled, version };
        await auditSql(q, { type: "control.changed", actor, at: before.now, fields });
        return { version };
      }),
    ),
});
