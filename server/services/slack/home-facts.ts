import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { Risk } from "@/server/domain/action";
import type { MemberActor } from "@/server/domain/actor";
import { WAITS_FOR } from "@/server/services/approvals/waits-for";
import { command } from "@/server/services/command";
import { openPhrase, readSealedPhrase } from "@/server/services/slack/phrase";

export type QueueLine = {
  readonly approvalId: string;
  readonly risk: Risk;
  readonly action: string;
  readonly agentName: string;
  readonly connectionName: string;
  readonly isHeld: boolean;
  readonly expiresAt: Date | null;
};
export type DecidedLine = {
  readonly decision: string;
  readonly action: string;
  readonly agentName: string;
  /** How the approval stands: another person's answer may still be missing. */
  readonly status: string;
  readonly at: Date;
};

/** One's own queue, the oldest first, and what one decided last. No content. */
export type HomeFacts = {
  readonly queue: readonly QueueLine[];
  readonly waiting: number;
  readonly decided: readonly DecidedLine[];
  /** The organization's own words, by which people know what is ours. */
  readonly phrase: string | null;
};

const MOST = 10;

/** Reads what somebody can decide now, and what they decided lately. */
export const readHome = command({
  name: "slack.read_home",
  callers: ["member"],
  permission: "approval:decide",
  input: z.strictObject({}),
  run: async (actor): Promise<HomeFacts> => {
    const { sealed, ...read } = await withOrgSql(actor.orgId, async (q) => ({
      ...(await readQueue(q, actor)),
      decided: await readDecided(q, actor),
      sealed: await readSealedPhrase(q),
    }));
    return { ...read, phrase: await openPhrase(actor.orgId, sealed) };
  },
});

async function readQueue(q: OrgSql, { memberId }: MemberActor): Promise<Pick<HomeFacts, "queue" | "waiting">> {
  const { rows } = await q.query<QueueLine & { total: number }>(
    `SELECT a.id AS "approvalId", r.risk, r.action, g.name AS "agentName", c.name AS "connectionName", a.is_held AS "isHeld",
       a.expires_at AS "expiresAt", count(*) OVER ()::int AS total
     FROM approval a
     JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id
     JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
     JOIN agent_key k ON k.org_id = r.org_id AND k.id = r.agent_key_id
     JOIN connection c ON c.org_id = r.org_id AND c.id = r.connection_id
     JOIN member m ON m.org_id = a.org_id AND m.id = $1
     WHERE a.org_id = app.org_id() AND ${WAITS_FOR}
     ORDER BY a.id LIMIT ${MOST}`,
    [memberId],
  );
  return { queue: rows.map(({ total: _total, ...line }) => line), waiting: rows[0]?.total ?? 0 };
}

async function readDecided(q: OrgSql, { memberId }: MemberActor): Promise<DecidedLine[]> {
  const { rows } = await q.query<DecidedLine>(
    `SELECT d.decision, r.action, g.name AS "agentName", a.status, d.decided_at AS at
     FROM decision d
     JOIN approval a ON a.org_id = d.org_id AND a.id = d.approval_id
     JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id
     JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
     WHERE d.org_id = app.org_id() AND d.member_id = $1 ORDER BY d.decided_at DESC, d.id DESC LIMIT ${MOST}`,
    [memberId],
  );
  return rows;
}
