import { z } from "zod";
import { lowestIdAt } from "@/server/db/new-id";
import { withOrgSql } from "@/server/db/with-org";
import { command } from "@/server/services/command";

/** An id's time is that of the replica that made it: the bound over ids leaves its clock a day, `created_at` decides. */
const MARGIN_MS = 86_400_000;

const COUNTS = `SELECT u.id AS rule, GREATEST(u.updated_at, $2) AS since,
    count(*) FILTER (WHERE x->>'outcome' = 'matched' AND x->>'verdict' = 'deny')::int AS denied,
    count(*) FILTER (WHERE x->>'outcome' <> 'failed' AND x->>'verdict' = 'approval')::int AS asked,
    count(*) FILTER (WHERE x->>'outcome' = 'failed')::int AS failed
  FROM rule u
  LEFT JOIN (tool_request t CROSS JOIN LATERAL jsonb_array_elements(t.shadow_matches) x)
    ON t.org_id = u.org_id AND t.shadow_matches IS NOT NULL AND t.id >= $1 AND t.created_at >= GREATEST(u.updated_at, $2)
    AND x->>'rule' = u.id
  WHERE u.org_id = app.org_id() AND u.is_shadow AND u.enabled
  GROUP BY u.id, u.updated_at ORDER BY u.id`;

const rowSchema = z.strictObject({
  rule: z.string(),
  since: z.date(),
  denied: z.int(),
  asked: z.int(),
  failed: z.int(),
});

/** What rules in shadow would have done in the last days, at the most since each was last changed. */
export const countShadow = command({
  name: "rules.count_shadow",
  callers: ["member"],
  permission: "rule:read",
  input: z.strictObject({ days: z.int().min(1).max(90).default(30) }),
  run: (actor, { days }) =>
    withOrgSql(actor.orgId, async (q) => {
      const { rows: times } = await q.query<{ since: Date }>(
        "SELECT clock_timestamp() - make_interval(days => $1::int) AS since",
        [days],
      );
      const since = times[0]?.since ?? new Date(0);
      const from = lowestIdAt("toolRequest", new Date(since.getTime() - MARGIN_MS));
      const { rows } = await q.query(COUNTS, [from, since]);
      return { days, rules: z.array(rowSchema).parse(rows) };
    }),
});

/** The counts as OpenAPI describes them. */
export const shadowCountsSchema = z.strictObject({
  days: z.int(),
  rules: z.array(rowSchema.extend({ since: z.iso.datetime() })),
});
