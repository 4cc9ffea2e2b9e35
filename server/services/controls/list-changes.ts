import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { killLevelSchema } from "@/server/domain/facts";
import { versionSchema } from "@/server/domain/version";
import { command } from "@/server/services/command";
import type { KillLevel } from "@/server/services/controls/control-row";
import { openReason } from "@/server/services/controls/reason";

const MAX_LIMIT = 100;

export type ControlChangeView = {
  readonly version: number;
  readonly control: "kill_switch" | "read_only" | "action";
  readonly level: KillLevel | null;
  /** The tool or action. */
  readonly subject: string | null;
  /** Whether what it names was in force afterwards. */
  readonly enabled: boolean;
  readonly by: string;
  readonly byName: string;
  readonly at: Date;
  readonly reason: string | null;
};
type Row = Omit<ControlChangeView, "reason"> & { readonly sealed: Buffer | null };

/** Every change of the controls, newest first: who, when and why. */
export const listControlChanges = command({
  name: "control.list_changes",
  callers: ["member"],
  permission: "control:read",
  input: z.strictObject({ limit: z.int().min(1).max(MAX_LIMIT).default(20), cursor: versionSchema.optional() }),
  run: (actor, { limit, cursor }) =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<Row>(
        `SELECT c.version, c.control, c.level, c.subject, c.enabled, c.changed_by AS by, m.name AS "byName",
           c.created_at AS at, c.sealed_reason AS sealed
         FROM control_change c JOIN member m ON m.id = c.changed_by
         WHERE $1::int IS NULL OR c.version < $1 ORDER BY c.version DESC LIMIT $2`,
        [cursor ?? null, limit + 1],
      );
      const items: ControlChangeView[] = [];
      for (const row of rows.slice(0, limit)) items.push(await changeView(q, row));
      return { items, nextCursor: rows.length > limit ? (items.at(-1)?.version ?? null) : null };
    }),
});

async function changeView(q: OrgSql, { sealed, ...row }: Row): Promise<ControlChangeView> {
  return { ...row, reason: await openReason(q, sealed, row.version) };
}

/** The changes as OpenAPI describes them. */
export const controlChangesSchema = z.strictObject({
  items: z.array(
    z.strictObject({
      version: z.int(),
      control: z.enum(["kill_switch", "read_only", "action"]),
      level: killLevelSchema.nullable(),
      subject: z.string().nullable(),
      enabled: z.boolean(),
      by: z.string(),
      byName: z.string(),
      at: z.iso.datetime(),
      reason: z.string().nullable(),
    }),
  ),
  nextCursor: z.int().nullable(),
});
