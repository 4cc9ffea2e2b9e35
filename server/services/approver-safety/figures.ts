import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import { type Role, roleSchema } from "@/server/domain/roles";
import { command } from "@/server/services/command";

const MAX_DAYS = 365;

/** How one person decided in a time. Times are milliseconds from opening to deciding; null where nothing was opened. */
export type ApproverFigures = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly decided: number;
  readonly approved: number;
  readonly medianMs: number | null;
  /** Approvals that came sooner than their call could have been read. */
  readonly tooQuick: number;
  /** The most of them in a row. */
  readonly longestRun: number;
  readonly lastAt: Date;
};

type Row = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly decided: number;
  readonly approved: number;
  readonly median_ms: number | null;
  readonly too_quick: number;
  readonly longest_run: number;
  readonly last_at: Date;
};

// A run is what lies between two answers that were not too quick: numbering those numbers the runs.
const FIGURES = `WITH answered AS (
    SELECT d.id, d.member_id, d.decision, d.decided_at, extract(epoch FROM d.decided_at - d.opened_at)::float8 * 1000 AS took,
      (d.decision = 'approve' AND d.reading_ms IS NOT NULL
        AND (d.opened_at IS NULL OR d.decided_at - d.opened_at < d.reading_ms * interval '1 millisecond')) AS is_quick
    FROM decision d WHERE d.org_id = app.org_id() AND d.decided_at > clock_timestamp() - make_interval(days => $1)
  ), numbered AS (
    SELECT a.*, count(*) FILTER (WHERE NOT is_quick) OVER (PARTITION BY member_id ORDER BY decided_at, id) AS run FROM answered a
  ), runs AS (
    SELECT member_id, count(*) AS length FROM numbered WHERE is_quick GROUP BY member_id, run
  )
  SELECT m.id, m.name, m.role, count(*)::int AS decided, count(*) FILTER (WHERE a.decision = 'approve')::int AS approved,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY a.took) AS median_ms, count(*) FILTER (WHERE a.is_quick)::int AS too_quick,
    COALESCE((SELECT max(r.length) FROM runs r WHERE r.member_id = m.id), 0)::int AS longest_run, max(a.decided_at) AS last_at
  FROM answered a JOIN member m ON m.org_id = app.org_id() AND m.id = a.member_id
  GROUP BY m.id, m.name, m.role ORDER BY too_quick DESC, decided DESC, m.name, m.id`;

/** How the people of the organization decided in the last days, from its own records; quickest first. */
export const approverFigures = command({
  name: "approver_safety.figures",
  callers: ["member"],
  permission: "approver_figures:read",
  input: z.strictObject({ days: z.int().min(1).max(MAX_DAYS).default(30) }),
  run: async (actor, { days }): Promise<{ items: ApproverFigures[] }> => {
    const { rows } = await withOrgSql(actor.orgId, (q) => q.query<Row>(FIGURES, [days]));
    return { items: rows.map(viewOf) };
  },
});

const viewOf = (row: Row): ApproverFigures => ({
  id: row.id,
  name: row.name,
  role: row.role,
  decided: row.decided,
  approved: row.approved,
  medianMs: row.median_ms === null ? null : Math.round(row.median_ms),
  tooQuick: row.too_quick,
  longestRun: row.longest_run,
  lastAt: row.last_at,
});

/** The same as OpenAPI describes it. */
export const approverFiguresSchema = z.strictObject({
  items: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      role: roleSchema,
      decided: z.int(),
      approved: z.int(),
      medianMs: z.int().nullable().describe("From opening to deciding; null where nothing was opened."),
      tooQuick: z.int().describe("Approvals that came sooner than their call could have been read."),
      longestRun: z.int().describe("The most of them in a row."),
      lastAt: z.iso.datetime(),
    }),
  ),
});
