import type { OrgSql } from "@/server/db/with-org";
import type { KILL_LEVELS } from "@/server/domain/facts";
import { notFound } from "@/server/services/failures";

export type KillLevel = (typeof KILL_LEVELS)[number];

/** An organization's controls as they stand, and the database's time. */
export type ControlRow = {
  readonly version: number;
  readonly killLevel: KillLevel | null;
  readonly killBy: string | null;
  readonly killAt: Date | null;
  readonly killReason: Buffer | null;
  readonly readOnly: boolean;
  readonly actionsOff: readonly string[];
  readonly now: Date;
};

/** Reads the row; whoever is going to change it holds the organization's control lock. */
export async function readControlRow(q: OrgSql): Promise<ControlRow> {
  const { rows } = await q.query<ControlRow>(
    `SELECT version, kill_level AS "killLevel", kill_by AS "killBy", kill_at AS "killAt", kill_reason AS "killReason",
       read_only AS "readOnly", actions_off AS "actionsOff", clock_timestamp() AS now FROM control_state`,
  );
  const [row] = rows;
  if (!row) throw notFound("organization");
  return row;
}
