import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { listActions } from "@/server/domain/actions/registry";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { readControlRow } from "@/server/services/controls/control-row";
import { holdClaimsSql } from "@/server/services/controls/lock";
import { controlReasonSchema } from "@/server/services/controls/reason";
import { recordControlChange } from "@/server/services/controls/record-change";
import { tellingLifted } from "@/server/services/controls/telling-lifted";
import { invalidField } from "@/server/services/failures";

/** `email.send` for one action, `email` for the whole tool. */
const subjectSchema = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$/, "must look like email.send or email");

const isKnown = (subject: string): boolean =>
  listActions().some(({ name }) => name === subject || name.startsWith(`${subject}.`));

/** Switches an action, or a whole tool, off or on for every agent. Asking for what is so already changes nothing. */
export const switchAction = command({
  name: "control.switch_action",
  callers: ["member"],
  permission: "control:activate",
  input: z.strictObject({ action: subjectSchema, enabled: z.boolean(), reason: controlReasonSchema }),
  run: (actor, { action, enabled, reason }) =>
    tellingLifted(actor.orgId, () =>
      withOrgSql(actor.orgId, async (q) => {
        await holdClaimsSql(q);
        const { version: last, actionsOff, now } = await readControlRow(q);
        const isOff = actionsOff.includes(action);
        // What no longer exists can still be taken off the list.
        if (!isOff && !isKnown(action)) throw invalidField("action", "must be an action or a tool that exists");
        if (isOff === !enabled) return { version: last };
        const version = last + 1;
        const off = enabled ? actionsOff.filter((name) => name !== action) : [...actionsOff, action].sort();
        await q.query("UPDATE control_state SET version = $1, actions_off = $2", [version, off]);
        const change = {
          actor,
          version,
          control: "action" as const,
          subject: action,
          enabled,
          reason,
          isStop: !enabled,
        };
        await recordControlChange(q, change);
        const fields = { control: "action", subject: action, enabled, version };
        await auditSql(q, { type: "control.changed", actor, at: now, fields });
        return { version };
      }),
    ),
});
