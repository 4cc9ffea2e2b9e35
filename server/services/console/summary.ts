import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { WAITS_FOR } from "@/server/services/approvals/waits-for";
import { countNobodyCan } from "@/server/services/approvals/who-could";
import { command } from "@/server/services/command";

export type ConsoleSummary = {
  /** The database's clock. */
  readonly now: Date;
  readonly organizationName: string;
  /** Approvals that this person can decide now, counted up to a hundred. */
  readonly waiting: number;
  /** How many requests nobody can approve as things stand; for those who can change that. */
  readonly nobodyCan: number;
  /** Connected workspaces of Slack that get no cards; for those who can change that. */
  readonly slackProblems: number;
};

const MOST = 100;

/** What the frame of every page shows a person: whose organization, what time it is there, how much waits for them. */
export const consoleSummary = command({
  name: "console.summary",
  callers: ["member"],
  permission: "organization:read",
  input: z.strictObject({}),
  run: (actor) =>
    withOrgSql(actor.orgId, async (q): Promise<ConsoleSummary> => {
      const { rows } = await q.query<{ now: Date; name: string }>(
        "SELECT clock_timestamp() AS now, name FROM organization WHERE id = $1",
        [actor.orgId],
      );
      const [row] = rows;
      if (!row) throw new Error("the organization of a signed-in person is gone");
      const waiting = await countWaiting(q, actor);
      const nobodyCan = actor.permissions.has("member:manage") ? await countNobodyCan(q) : 0;
      const slackProblems = actor.permissions.has("organization:manage") ? await countSlackProblems(q) : 0;
      return { now: row.now, organizationName: row.name, waiting, nobodyCan, slackProblems };
    }),
});

async function countSlackProblems(q: OrgSql): Promise<number> {
  const { rows } = await q.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM slack_workspace WHERE problem IS NOT NULL AND (removed_at IS NULL OR problem_at > clock_timestamp() - interval '7 days')",
  );
  return rows[0]?.count ?? 0;
}

async function countWaiting(q: OrgSql, actor: MemberActor): Promise<number> {
  if (!actor.permissions.has("approval:decide")) return 0;
  const { rows } = await q.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT 1 FROM approval a
       JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id
       JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
       JOIN agent_key k ON k.org_id = r.org_id AND k.id = r.agent_key_id
       JOIN member m ON m.org_id = a.org_id AND m.id = $2
       WHERE a.org_id = $1 AND ${WAITS_FOR}
       LIMIT ${MOST}) waiting`,
    [actor.orgId, actor.memberId],
  );
  return rows[0]?.count ?? 0;
}
