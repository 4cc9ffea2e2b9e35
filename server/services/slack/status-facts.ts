import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { command } from "@/server/services/command";
import { getControls } from "@/server/services/controls/get";
import { asMember, type SlackCaller } from "@/server/services/slack/person-from-slack";

/** What is stopped, and what waits. */
export type StatusFacts = {
  readonly level: "freeze" | "lockdown" | null;
  readonly levelBy: string | null;
  readonly deploymentLevel: "freeze" | "lockdown" | null;
  readonly isReadOnly: boolean;
  readonly actionsOff: readonly string[];
  /** At most twenty, by name. */
  readonly paused: readonly string[];
  readonly pausedCount: number;
  /** Null where this person's role reads no approvals. */
  readonly waiting: number | null;
};

const MOST_NAMED = 20;

const readStatus = command({
  name: "slack.status",
  callers: ["member"],
  permission: "control:read",
  input: z.strictObject({}),
  run: async (actor): Promise<StatusFacts> => {
    const { killSwitch, readOnly, actionsOff, deploymentLevel } = await getControls(actor, {});
    const mayCount = actor.permissions.has("approval:read");
    const counted = await withOrgSql(actor.orgId, async (q) => ({
      ...(await readPaused(q)),
      waiting: mayCount ? await countWaiting(q) : null,
    }));
    const level = killSwitch?.level ?? null;
    const levelBy = killSwitch?.byName ?? null;
    return { level, levelBy, deploymentLevel, isReadOnly: readOnly, actionsOff, ...counted };
  },
});

async function readPaused(q: OrgSql): Promise<Pick<StatusFacts, "paused" | "pausedCount">> {
  const { rows } = await q.query<{ name: string; count: number }>(
    `SELECT name, count(*) OVER ()::int AS count FROM agent WHERE paused_at IS NOT NULL ORDER BY name LIMIT ${MOST_NAMED}`,
  );
  return { paused: rows.map(({ name }) => name), pausedCount: rows[0]?.count ?? 0 };
}

async function countWaiting(q: OrgSql): Promise<number> {
  const { rows } = await q.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM approval WHERE org_id = app.org_id() AND status = 'pending'",
  );
  return rows[0]?.count ?? 0;
}

/** What is stopped and what waits, for a person of Slack. Throws AppError. */
export const statusFromSlack = (caller: SlackCaller): Promise<StatusFacts> =>
  asMember(caller, { command: "status", purpose: "status" }, (actor) => readStatus(actor, {}));
