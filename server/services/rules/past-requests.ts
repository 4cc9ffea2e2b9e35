import { z } from "zod";
import { lowestIdAt } from "@/server/db/new-id";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { riskSchema } from "@/server/domain/action";
import { approvalReasonSchema } from "@/server/domain/approval-reasons";
import { trustedDestinationSchema } from "@/server/domain/destination";
import { autonomySchema, SESSION_LABELS } from "@/server/domain/facts";

const rowSchema = z.object({
  id: z.string(),
  action: z.string(),
  effect: z.enum(["read", "write"]),
  risk: riskSchema,
  is_outward: z.boolean(),
  is_irreversible: z.boolean(),
  status: z.string(),
  denied_check: z.string().nullable(),
  denied_code: z.string().nullable(),
  is_taken_up: z.boolean(),
  sealed_arguments: z.instanceof(Buffer).nullable(),
  created_at: z.date(),
  agent: z.object({
    id: z.string(),
    name: z.string(),
    autonomy: autonomySchema,
    departmentId: z.string().nullable(),
  }),
  connection: z.object({ id: z.string(), name: z.string(), provider: z.string(), sensitive: z.boolean() }).nullable(),
  session: z.object({ labels: z.array(z.enum(SESSION_LABELS)), origin: z.string() }),
  /** What its first approval asked for; null where it had none. */
  asked: z.array(approvalReasonSchema).nullable(),
});

/** A request as its row tells of it, with agent, connection and session as they are now. */
export type PastRow = z.output<typeof rowSchema>;

const CHUNK = `SELECT r.id, r.action, r.effect, r.risk, r.is_outward, r.is_irreversible, r.status, r.denied_check, r.denied_code,
    r.taken_up_by_id IS NOT NULL AS is_taken_up, r.sealed_arguments, r.created_at,
    jsonb_build_object('id', g.id, 'name', g.name, 'autonomy', g.autonomy, 'departmentId', g.department_id) AS agent,
    CASE WHEN c.id IS NOT NULL THEN jsonb_build_object('id', c.id, 'name', c.name, 'provider', c.provider, 'sensitive', c.sensitive) END AS connection,
    jsonb_build_object('labels', s.labels, 'origin', s.origin) AS session,
    (SELECT a.reasons FROM approval a WHERE a.org_id = r.org_id AND a.request_id = r.id ORDER BY a.id LIMIT 1) AS asked
  FROM tool_request r
  JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
  JOIN session s ON s.org_id = r.org_id AND s.id = r.session_id
  LEFT JOIN connection c ON c.org_id = r.org_id AND c.id = r.connection_id
  WHERE r.org_id = app.org_id() AND r.id >= $1 AND ($2::text IS NULL OR r.id < $2) AND r.created_at >= $3
  ORDER BY r.id DESC LIMIT $4`;

/** The days looked back over, by the database's clock. */
export type Window = { readonly now: Date; readonly since: Date; readonly total: number };

// An id's time is that of the replica that made it: the bound over ids leaves its clock a day, `created_at` decides.
const MARGIN_MS = 86_400_000;
const from = (since: Date) => lowestIdAt("toolRequest", new Date(since.getTime() - MARGIN_MS));

/** How many requests there are in the last days, counted up to `most`. */
export function readWindow(orgId: string, days: number, most: number): Promise<Window> {
  return withOrgSql(orgId, async (q) => {
    const clock = await q.query<{ now: Date; since: Date }>(
      "SELECT clock_timestamp() AS now, clock_timestamp() - make_interval(days => $1::int) AS since",
      [days],
    );
    const [{ now, since } = { now: new Date(0), since: new Date(0) }] = clock.rows;
    const { rows } = await q.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM (SELECT 1 FROM tool_request r
       WHERE r.org_id = app.org_id() AND r.id >= $1 AND r.created_at >= $2 LIMIT $3) w`,
      [from(since), since, most],
    );
    return { now, since, total: rows[0]?.total ?? 0 };
  });
}

/** The next requests before `before`, newest first. */
export function readPast(
  orgId: string,
  { since, before, limit }: { since: Date; before?: string | undefined; limit: number },
): Promise<PastRow[]> {
  return withOrgSql(orgId, async (q) => {
    const { rows } = await q.query(CHUNK, [from(since), before ?? null, since, limit]);
    return z.array(rowSchema).parse(rows);
  });
}

export type Reached = { readonly agentId: string; readonly connectionId: string; readonly target: string };
const keyOf = ({ agentId, connectionId, target }: Reached) => `${agentId}|${connectionId}|${target}`;

/** Since when each target is known to its agent over its connection, and to the organization; and what the organization trusts now. */
export function readTargets(orgId: string, reached: readonly Reached[]) {
  return withOrgSql(orgId, async (q) => {
    const { rows } = await q.query<Reached & { first_at: Date }>(
      `SELECT t.agent_id AS "agentId", t.connection_id AS "connectionId", t.target, t.first_at FROM seen_target t
       JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::text[]) AS u(agent_id, connection_id, target)) w
         USING (agent_id, connection_id, target) WHERE t.org_id = app.org_id()`,
      [
        reached.map(({ agentId }) => agentId),
        reached.map(({ connectionId }) => connectionId),
        reached.map(({ target }) => target),
      ],
    );
    const known = new Map(rows.map((row) => [keyOf(row), row.first_at]));
    const isSeenBefore = (at: Reached, time: Date): boolean => {
      const first = known.get(keyOf(at));
      return first !== undefined && first < time;
    };
    const first = await q.query<{ target: string; first_at: Date }>(
      `SELECT t.target, min(t.first_at) AS first_at FROM seen_target t
       WHERE t.org_id = app.org_id() AND t.target = ANY ($1) GROUP BY t.target`,
      [[...new Set(reached.map(({ target }) => target))]],
    );
    const firsts = new Map(first.rows.map((row) => [row.target, row.first_at]));
    const isKnownBefore = (target: string, time: Date): boolean => {
      const at = firsts.get(target);
      return at !== undefined && at < time;
    };
    return { isSeenBefore, isKnownBefore, trusted: await readTrusted(q) };
  });
}

async function readTrusted(q: OrgSql) {
  const { rows } = await q.query("SELECT kind, value FROM trusted_destination WHERE org_id = app.org_id()");
  return z.array(trustedDestinationSchema).parse(rows);
}
