import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { command } from "@/server/services/command";

/** What an approval's life needs next. Seconds are whole and at least one. */
export type Timing =
  | { readonly kind: "over"; readonly status: string }
  | { readonly kind: "due" }
  | { readonly kind: "remind" }
  | { readonly kind: "wait"; readonly seconds: number };

type Row = { status: string; is_held: boolean; is_due: boolean; is_half: boolean; until: number };
/** How often a held approval is looked at again, in seconds. */
const HELD_LOOK_S = 3_600;

/** Reads by the database's clock whether an approval is over, due to expire, due for its reminder, or waits. */
export const approvalTiming = command({
  name: "approval.timing",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ approvalId: idOf("approval") }),
  run: (actor, { approvalId }): Promise<Timing> =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<Row>(
        `SELECT status, is_held, expires_at <= clock_timestamp() AS is_due,
           (reminded_at IS NULL AND expires_at - make_interval(secs => lifetime_seconds / 2) <= clock_timestamp()) AS is_half,
           ceil(extract(epoch FROM CASE WHEN reminded_at IS NULL THEN expires_at - make_interval(secs => lifetime_seconds / 2) ELSE expires_at END
             - clock_timestamp()))::float8 AS until
         FROM approval WHERE org_id = app.org_id() AND id = $1`,
        [approvalId],
      );
      const [row] = rows;
      if (row === undefined || row.status !== "pending") return { kind: "over", status: row?.status ?? "gone" };
      if (row.is_held) return { kind: "wait", seconds: HELD_LOOK_S };
      if (row.is_due) return { kind: "due" };
      return row.is_half ? { kind: "remind" } : { kind: "wait", seconds: Math.max(1, row.until) };
    }),
});
