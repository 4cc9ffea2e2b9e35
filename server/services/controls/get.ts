import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { killLevelSchema } from "@/server/domain/facts";
import { command } from "@/server/services/command";
import { type ControlRow, type KillLevel, readControlRow } from "@/server/services/controls/control-row";
import { openReason } from "@/server/services/controls/reason";

export type KillSwitchView = {
  readonly level: KillLevel;
  readonly by: string;
  readonly byName: string;
  readonly at: Date;
  /** Null where it could not be kept or cannot be opened. */
  readonly reason: string | null;
};

export type ControlsView = {
  /** What a release must name. */
  readonly version: number;
  readonly killSwitch: KillSwitchView | null;
  readonly readOnly: boolean;
  /** Actions and whole tools that are switched off. */
  readonly actionsOff: readonly string[];
  /** A switch in the environment of some server: no call lifts it. */
  readonly deploymentLevel: KillLevel | null;
};

/** What is stopped, by whom and why. */
export const getControls = command({
  name: "control.get",
  callers: ["member"],
  permission: "control:read",
  input: z.strictObject({}),
  run: (actor) =>
    withOrgSql(actor.orgId, async (q): Promise<ControlsView> => {
      const row = await readControlRow(q);
      const { rows } = await q.query<{ level: KillLevel | null }>("SELECT app.deployment_level() AS level");
      const { version, readOnly, actionsOff } = row;
      const killSwitch = await killSwitchOf(q, row);
      return { version, killSwitch, readOnly, actionsOff, deploymentLevel: rows[0]?.level ?? null };
    }),
});

async function killSwitchOf(q: OrgSql, row: ControlRow): Promise<KillSwitchView | null> {
  const { killLevel: level, killBy: by, killAt: at } = row;
  if (level === null || by === null || at === null) return null;
  const { rows } = await q.query<{ name: string }>("SELECT name FROM member WHERE id = $1", [by]);
  return { level, by, byName: rows[0]?.name ?? "", at, reason: await openReason(q, row.killReason, "in_force") };
}

/** The controls as OpenAPI describes them. */
export const controlsSchema = z.strictObject({
  version: z.int().describe("What a release must name."),
  killSwitch: z
    .strictObject({
      level: killLevelSchema,
      by: z.string(),
      byName: z.string(),
      at: z.iso.datetime(),
      reason: z.string().nullable(),
    })
    .nullable(),
  readOnly: z.boolean(),
  actionsOff: z.array(z.string()),
  deploymentLevel: killLevelSchema.nullable().describe("A switch in the environment of some server."),
});

/** What every change of the controls answers with. */
export const controlVersionSchema = z.strictObject({ version: z.int() });
