import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { SLACK_PROBLEMS, type SlackProblem } from "@/server/domain/slack-problem";
import { auditSql } from "@/server/services/audit/record";
import { readDocument, type StoredDocument } from "@/server/services/audit/stored-event";
import { command } from "@/server/services/command";
import { mailManagers } from "@/server/services/slack/mail-managers";
import { teamIdSchema } from "@/server/services/slack/slack-ids";

const LEASE = "20 seconds";

/** An alert in the caller's hands until the lease ends, with the event that it tells of. */
export type LeasedAlert = {
  readonly eventId: string;
  readonly teamId: string;
  readonly channelId: string;
  /** Where a message may be that was posted without being recorded; null where there is none. */
  readonly unsureIn: string | null;
  readonly createdAt: Date;
  readonly hasProblem: boolean;
  /** Null where the log does not hold what we write. */
  readonly event: StoredDocument | null;
  readonly actorName: string | null;
  readonly agentName: string | null;
};

type Row = {
  event_id: string;
  team_id: string;
  channel_id: string;
  unsure_in: string | null;
  created_at: Date;
  has_problem: boolean;
  canonical: Buffer;
  actor_name: string | null;
  agent_name: string | null;
};

// Without a token that Slack takes nothing can be told: those wait until the workspace is connected again.
const CAN_BE_TOLD = `w.removed_at IS NULL AND w.sealed_token IS NOT NULL AND w.alerts_channel_id IS NOT NULL
  AND (w.problem IS NULL OR w.problem NOT IN ('token_revoked', 'uninstalled'))`;
/** So that those do not stand in the way of other organizations in the sweep. */
const PUT_OFF = `UPDATE slack_alert s SET lease_until = clock_timestamp() + interval '1 minute'
  FROM slack_workspace w WHERE w.org_id = s.org_id AND w.team_id = s.team_id AND s.org_id = app.org_id() AND s.status = 'due'
    AND (s.lease_until IS NULL OR s.lease_until <= clock_timestamp()) AND NOT COALESCE((${CAN_BE_TOLD}), false)`;
const TAKE = `WITH due AS (
    SELECT s.event_id, s.team_id, CASE WHEN s.is_unsure THEN s.channel_id END AS unsure_in, s.created_at,
      w.alerts_channel_id AS channel_id, w.alerts_problem IS NOT NULL AS has_problem
    FROM slack_alert s JOIN slack_workspace w ON w.org_id = s.org_id AND w.team_id = s.team_id
    WHERE s.org_id = app.org_id() AND s.status = 'due' AND (s.lease_until IS NULL OR s.lease_until <= clock_timestamp())
      AND ${CAN_BE_TOLD}
    ORDER BY s.created_at, s.event_id LIMIT 1 FOR UPDATE OF s SKIP LOCKED),
  taken AS (
    UPDATE slack_alert s SET lease_until = clock_timestamp() + $1::interval, is_unsure = true,
      channel_id = COALESCE(due.unsure_in, due.channel_id)
    FROM due WHERE s.org_id = app.org_id() AND s.event_id = due.event_id AND s.team_id = due.team_id RETURNING due.*)
  SELECT taken.*, e.canonical, m.name AS actor_name, g.name AS agent_name FROM taken
  JOIN audit_event e ON e.org_id = app.org_id() AND e.id = taken.event_id
  LEFT JOIN member m ON m.org_id = e.org_id AND m.id = e.actor_id
  LEFT JOIN agent g ON g.org_id = e.org_id AND g.id = e.agent_id`;

/**
 * Takes the oldest alert that is to be told; null where there is none for now. Until `recordAlert`, whoever comes after a
 * crash has to look whether a message was posted.
 */
export const leaseAlert = command({
  name: "slack.lease_alert",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({}),
  run: async (actor): Promise<LeasedAlert | null> => {
    const row = await withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<Row>(TAKE, [LEASE]);
      if (rows.length === 0) await q.query(PUT_OFF);
      return rows[0];
    });
    if (row === undefined) return null;
    return {
      eventId: row.event_id,
      teamId: row.team_id,
      channelId: row.channel_id,
      unsureIn: row.unsure_in,
      createdAt: row.created_at,
      hasProblem: row.has_problem,
      event: readDocument(row.canonical),
      actorName: row.actor_name,
      agentName: row.agent_name,
    };
  },
});

const recordInput = z.strictObject({
  eventId: z.string().max(50),
  teamId: teamIdSchema,
  /** Null where nothing was posted for certain, or it is not known. */
  ts: z.string().max(50).nullable(),
  isUnsure: z.boolean(),
  /** When it is tried again, where it was not posted. */
  afterS: z.int().min(0).max(86_400),
});

/** Gives a leased alert back: told, or to be tried again. */
export const recordAlert = command({
  name: "slack.record_alert",
  callers: ["system"],
  permission: "system:run",
  input: recordInput,
  run: async (actor, { eventId, teamId, ts, isUnsure, afterS }): Promise<void> => {
    await withOrgSql(actor.orgId, (q) =>
      q.query(
        `UPDATE slack_alert SET ts = $3, is_unsure = $4, status = CASE WHEN $3::text IS NULL THEN status ELSE 'posted' END,
           lease_until = CASE WHEN $3::text IS NULL THEN clock_timestamp() + $5 * interval '1 second' END
         WHERE event_id = $1 AND team_id = $2`,
        [eventId, teamId, ts, isUnsure, afterS],
      ),
    );
  },
});

const problems = Object.keys(SLACK_PROBLEMS) as [SlackProblem, ...SlackProblem[]];

/** Notes why the alerts channel takes nothing, for admins to see; null once it does again. Cards are not held up by it. */
export const noteAlertsProblem = command({
  name: "slack.note_alerts_problem",
  callers: ["system"],
  permission: "system:run",
  input: z.strictObject({ teamId: teamIdSchema, problem: z.enum(problems).nullable() }),
  run: (actor, { teamId, problem }): Promise<void> =>
    withOrgSql(actor.orgId, async (q: OrgSql) => {
      const { rows } = await q.query<{ at: Date }>(
        `UPDATE slack_workspace SET alerts_problem = $2 WHERE team_id = $1 AND removed_at IS NULL
           AND alerts_problem IS DISTINCT FROM $2 RETURNING clock_timestamp() AS at`,
        [teamId, problem],
      );
      const [row] = rows;
      if (row === undefined) return;
      const fields = { team: teamId, problem: problem ?? "none" };
      await auditSql(q, { type: "slack.alerts_problem", actor, at: row.at, fields });
      if (problem !== null) await mailManagers(q, { kind: "slack_alerts_problem", teamId, problem, at: row.at });
    }),
});
