import { systemPool } from "@/server/db/pools";

/** A row of some organization whose time has come: ids, nothing else. */
export type DueRequest = { readonly organizationId: string; readonly requestId: string };
export type DueApproval = DueRequest & { readonly approvalId: string };

type Row = { org_id: string; id: string; request_id?: string };
const BATCH = 200;

async function ids(text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const { rows } = await systemPool().query<Row>(text, [...values, BATCH]);
  return rows;
}

const toRequest = (row: Row): DueRequest => ({ organizationId: row.org_id, requestId: row.id });

/** Requests that may be claimed now. */
export const findRunnable = async (): Promise<DueRequest[]> =>
  (
    await ids(
      "SELECT org_id, id FROM tool_request WHERE status IN ('ready', 'scheduled') AND runs_at <= clock_timestamp() ORDER BY runs_at LIMIT $1",
    )
  ).map(toRequest);

/** Claimed runs whose lease has ended. */
export const findCrashed = async (): Promise<DueRequest[]> =>
  (
    await ids(
      "SELECT org_id, id FROM tool_request WHERE status = 'executing' AND lease_until <= clock_timestamp() ORDER BY lease_until LIMIT $1",
    )
  ).map(toRequest);

/** Pending approvals whose time to be decided is over. */
export const findExpired = async (): Promise<DueApproval[]> =>
  (
    await ids(
      "SELECT org_id, id, request_id FROM approval WHERE status = 'pending' AND NOT is_held AND expires_at <= clock_timestamp() ORDER BY expires_at LIMIT $1",
    )
  ).map((row) => ({ organizationId: row.org_id, approvalId: row.id, requestId: row.request_id ?? "" }));

/** Approvals that do not expire and of which people are to be reminded. */
export const findReminding = async (): Promise<DueApproval[]> =>
  (
    await ids(
      `SELECT org_id, id, request_id FROM approval WHERE status = 'pending' AND NOT is_held AND expires_at IS NULL
         AND COALESCE(reminded_at, created_at) <= clock_timestamp() - interval '1 hour' ORDER BY COALESCE(reminded_at, created_at) LIMIT $1`,
    )
  ).map((row) => ({ organizationId: row.org_id, approvalId: row.id, requestId: row.request_id ?? "" }));

/** Approvals that nobody decided and that are due to go on to the next role. */
export const findEscalating = async (): Promise<DueApproval[]> =>
  (
    await ids(
      "SELECT org_id, id, request_id FROM approval WHERE status = 'pending' AND NOT is_held AND escalates_at <= clock_timestamp() ORDER BY escalates_at LIMIT $1",
    )
  ).map((row) => ({ organizationId: row.org_id, approvalId: row.id, requestId: row.request_id ?? "" }));

/**
 * Approvals whose Slack card or its thread is behind, or was never posted. What was touched in the last seconds is in somebody's
 * hands; what ended unposted or long ago is left alone. Organizations take turns, and of one what was tried longest ago
 * comes first: what Slack refuses again and again keeps nobody else waiting.
 */
export const findCardsBehind = async (): Promise<DueApproval[]> =>
  (
    await ids(
      `SELECT org_id, id, request_id FROM (
         SELECT a.org_id, a.id, a.request_id, min(COALESCE(c.updated_at, a.created_at)) AS touched_at,
           row_number() OVER (PARTITION BY a.org_id ORDER BY min(COALESCE(c.updated_at, a.created_at)), a.id) AS turn FROM approval a
       JOIN slack_workspace w ON w.org_id = a.org_id AND w.removed_at IS NULL AND w.problem_at IS NULL
       LEFT JOIN slack_card c ON c.org_id = a.org_id AND c.approval_id = a.id AND c.team_id = w.team_id
       WHERE (a.status = 'pending' AND a.created_at < clock_timestamp() - interval '30 seconds' AND (c.status IS NULL OR c.status = 'new'))
          OR (a.status <> 'pending' AND c.status = 'pending' AND c.updated_at > clock_timestamp() - interval '1 day')
          OR (a.status = 'pending' AND c.status = 'pending' AND (split_part(c.shown, '/', 2), split_part(c.shown, '/', 3), split_part(c.shown, '/', 4)) IS DISTINCT FROM (
              (SELECT count(*) FROM decision d WHERE d.org_id = a.org_id AND d.approval_id = a.id AND d.decision = 'approve')::text,
              a.required_people::text, CASE WHEN a.is_held THEN 'held' ELSE '' END))
          OR (a.status = 'pending' AND c.status = 'pending' AND GREATEST(a.reminded_at, a.escalated_at) > clock_timestamp() - interval '1 day'
              AND (c.reminded_at IS NULL OR c.reminded_at < GREATEST(a.reminded_at, a.escalated_at)))
       GROUP BY a.org_id, a.id, a.request_id) behind
       ORDER BY turn, touched_at, id LIMIT $1`,
    )
  ).map((row) => ({ organizationId: row.org_id, approvalId: row.id, requestId: row.request_id ?? "" }));

/** Installations in Slack with a problem that may be over. */
export async function findSlackProblems(): Promise<{ readonly organizationId: string; readonly teamId: string }[]> {
  const { rows } = await systemPool().query<{ org_id: string; team_id: string }>(
    "SELECT org_id, team_id FROM slack_workspace WHERE removed_at IS NULL AND problem_at IS NOT NULL ORDER BY problem_at LIMIT $1",
    [BATCH],
  );
  return rows.map((row) => ({ organizationId: row.org_id, teamId: row.team_id }));
}

/** Organizations with an alert that is to be told in Slack. */
export async function findAlertsDue(): Promise<string[]> {
  const { rows } = await systemPool().query<{ org_id: string }>(
    `SELECT s.org_id FROM slack_alert s
     JOIN slack_workspace w ON w.org_id = s.org_id AND w.team_id = s.team_id AND w.removed_at IS NULL
     WHERE s.status = 'due' AND (s.lease_until IS NULL OR s.lease_until <= clock_timestamp())
     GROUP BY s.org_id ORDER BY min(COALESCE(s.lease_until, s.created_at)) LIMIT $1`,
    [BATCH],
  );
  return rows.map((row) => row.org_id);
}

/** Organizations with a notice that is to be mailed. */
export async function findMailsDue(): Promise<string[]> {
  const { rows } = await systemPool().query<{ org_id: string }>(
    `SELECT org_id FROM mail_notice WHERE status = 'due' AND (lease_until IS NULL OR lease_until <= clock_timestamp())
     GROUP BY org_id ORDER BY min(COALESCE(lease_until, created_at)) LIMIT $1`,
    [BATCH],
  );
  return rows.map((row) => row.org_id);
}

/** Organizations whose kill switch stopped requests that are not back in the queue yet. */
export async function findStopped(): Promise<string[]> {
  const { rows } = await systemPool().query<{ org_id: string }>(
    `SELECT c.org_id FROM control_state c WHERE EXISTS (SELECT 1 FROM tool_request r
       WHERE r.org_id = c.org_id AND r.status IN ('ready', 'scheduled') AND r.updated_at <= c.kill_at)
     ORDER BY c.kill_at LIMIT $1`,
    [BATCH],
  );
  return rows.map((row) => row.org_id);
}
