import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { REMINDS_HOURLY } from "@/server/services/approvals/remind";
import { command } from "@/server/services/command";

/** What an approval's life needs next. Seconds are whole and at least one. */
export type Timing =
  | { readonly kind: "over"; readonly status: string }
  | { readonly kind: "due" }
  | { readonly kind: "remind" }
  | { readonly kind: "escalate" }
  | { readonly kind: "wait"; readonly seconds: number };

type Row = { status: string; is_held: boolean; is_due: boolean; reminds: boolean; escalates: boolean; until: number };
/** How often a held approval is looked at again, in seconds. */
const HELD_LOOK_S = 3_600;

/** Reads by the database's clock what an approval's life needs next. */
export const approvalTiming = command({
  name: "approval.timing",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ approvalId: idOf("approval") }),
  run: (actor, { approvalId }): Promise<Timing> =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<Row>(
        `SELECT status, is_held, COALESCE(expires_at <= clock_timestamp(), false) AS is_due,
           COALESCE(reminds_at <= clock_timestamp(), false) AS reminds, COALESCE(escalates_at <= clock_timestamp(), false) AS escalates,
           ceil(extract(epoch FROM LEAST(expires_at, reminds_at, escalates_at) - clock_timestamp()))::float8 AS until
         FROM (SELECT a.status, a.is_held, a.expires_at, a.escalates_at,
             CASE WHEN a.expires_at IS NULL THEN ${REMINDS_HOURLY}
               WHEN a.reminded_at IS NULL THEN a.expires_at - make_interval(secs => a.lifetime_seconds / 2) END AS reminds_at
           FROM approval a WHERE a.org_id = app.org_id() AND a.id = $1) life`,
        [approvalId],
      );
      const [row] = rows;
      if (row === undefined || row.status !== "pending") return { kind: "over", status: row?.status ?? "gone" };
      if (row.is_held) return { kind: "wait", seconds: HELD_LOOK_S };
      if (row.is_due) return { kind: "due" };
      if (row.reminds) return { kind: "remind" };
      return row.escalates ? { kind: "escalate" } : { kind: "wait", seconds: Math.max(1, row.until) };
    }),
});
