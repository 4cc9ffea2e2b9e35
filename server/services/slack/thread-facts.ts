import { z } from "zod";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { RETURN_TEXTS } from "@/server/domain/approval-reasons";
import { idOf } from "@/server/domain/ids";
import { type ApproverRole, approverRoleSchema } from "@/server/domain/roles";
import { peopleCalled } from "@/server/services/approvals/called";
import { REQUESTERS } from "@/server/services/approvals/requesters";
import { readDocument, type StoredDocument } from "@/server/services/audit/stored-event";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";
import { openJson } from "@/server/services/gateway/content";
import { teamIdSchema } from "@/server/services/slack/slack-ids";

type Answer = { readonly name: string; readonly decision: string; readonly reason: string | null };

/** What the thread of a card may have to say: how it ended, by whom and why, or whom it still waits for. */
export type ThreadFacts = {
  readonly approvalId: string;
  readonly status: string;
  readonly expiresAt: Date | null;
  /** The last time that people were called: reminded, or of the next role. */
  readonly remindedAt: Date | null;
  /** The role that was called last, where that was the last call. */
  readonly calledRole: ApproverRole | null;
  readonly answers: readonly Answer[];
  /** Who ended it without deciding it; null where nobody did, or the answers say so. */
  readonly endedBy: string | null;
  /** Why it ended where nobody decided, in words of ours. */
  readonly why: string | null;
  /** People of this workspace who are called: who could approve it now, of the stage it is at. At most ten. */
  readonly waitsFor: readonly string[];
  /** People of this workspace who count as having asked: told how it ended. At most ten. */
  readonly askedBy: readonly string[];
};

const input = z.strictObject({ approvalId: idOf("approval"), teamId: teamIdSchema });
const MOST_NAMED = 10;

/** Reads what the thread of an approval's card has to say: content, for the channel that an admin chose. */
export const readThread = command({
  name: "slack.read_thread",
  callers: ["system"],
  permission: "system:run",
  input,
  run: async (actor, { approvalId, teamId }): Promise<ThreadFacts> => {
    const read = await withOrgSql(actor.orgId, async (q) => {
      const row = await readEnd(q, approvalId);
      if (row === undefined) return null;
      const given = await readGiven(q, approvalId);
      const end = await readEnding(q, approvalId);
      const waitsFor = await readWaitsFor(q, approvalId, teamId, row);
      return { row, given, end, waitsFor, askedBy: await readAskedBy(q, approvalId, teamId) };
    });
    if (read === null) throw notFound("approval");
    const { stage: _stage, ...row } = read.row;
    const answers = await Promise.all(read.given.map((one) => toAnswer(actor.orgId, one)));
    return { approvalId, ...row, answers, ...read.end, waitsFor: read.waitsFor, askedBy: read.askedBy };
  },
});

type Ended = Pick<ThreadFacts, "status" | "expiresAt" | "remindedAt" | "calledRole"> & { readonly stage: ApproverRole };
type EndRow = {
  status: string;
  expires_at: Date | null;
  called_at: Date | null;
  called_role: string | null;
  stage: string;
};

async function readEnd(q: OrgSql, approvalId: string): Promise<Ended | undefined> {
  const { rows } = await q.query<EndRow>(
    `SELECT status, expires_at, GREATEST(reminded_at, escalated_at) AS called_at, COALESCE(escalated_to, required_role) AS stage,
       CASE WHEN escalated_at >= COALESCE(reminded_at, escalated_at) THEN escalated_to END AS called_role
     FROM approval WHERE org_id = app.org_id() AND id = $1`,
    [approvalId],
  );
  const [row] = rows;
  return (
    row && {
      status: row.status,
      expiresAt: row.expires_at,
      remindedAt: row.called_at,
      calledRole: approverRoleSchema.nullable().parse(row.called_role),
      stage: approverRoleSchema.parse(row.stage),
    }
  );
}

type Given = { id: string; name: string; decision: string; sealed_reason: Buffer | null };

async function readGiven(q: OrgSql, approvalId: string): Promise<Given[]> {
  const { rows } = await q.query<Given>(
    `SELECT d.id, m.name, d.decision, d.sealed_reason FROM decision d JOIN member m ON m.org_id = d.org_id AND m.id = d.member_id
     WHERE d.org_id = app.org_id() AND d.approval_id = $1 ORDER BY d.id`,
    [approvalId],
  );
  return rows;
}

async function toAnswer(orgId: string, { id, name, decision, sealed_reason: sealed }: Given): Promise<Answer> {
  const reason = sealed === null ? null : await openJson(orgId, id, "reason", sealed);
  return { name, decision, reason: typeof reason === "string" ? reason : null };
}

const ENDINGS = ["approval.voided", "request.withdrawn", "request.cancelled"];

/** Who ended it, and why, as the log has it. */
async function readEnding(q: OrgSql, approvalId: string): Promise<Pick<ThreadFacts, "endedBy" | "why">> {
  const { rows } = await q.query<{ canonical: Buffer; name: string | null }>(
    `SELECT e.canonical, COALESCE(m.name, g.name) AS name FROM approval a
     JOIN audit_event e ON e.org_id = a.org_id AND e.request_id = a.request_id AND e.type = ANY ($2)
     LEFT JOIN member m ON m.org_id = e.org_id AND m.id = e.actor_id
     LEFT JOIN agent g ON g.org_id = e.org_id AND g.id = e.actor_id
     WHERE a.org_id = app.org_id() AND a.id = $1 ORDER BY e.id DESC LIMIT 50`,
    [approvalId, ENDINGS],
  );
  for (const { canonical, name } of rows) {
    const document = readDocument(canonical);
    if (document !== null && isAbout(document, approvalId)) return { endedBy: name, why: whyOf(document) };
  }
  return { endedBy: null, why: null };
}

/** A withdrawal ends whatever waited of a request; that something is void is said of one approval. */
const isAbout = ({ type, fields }: StoredDocument, approvalId: string) =>
  type !== "approval.voided" || fields.approval === approvalId;

const whyOf = ({ fields: { why } }: StoredDocument): string | null =>
  typeof why === "string" && why in RETURN_TEXTS ? RETURN_TEXTS[why as keyof typeof RETURN_TEXTS] : null;

async function readWaitsFor(
  q: OrgSql,
  approvalId: string,
  teamId: string,
  { calledRole, stage }: Ended,
): Promise<string[]> {
  const people = await peopleCalled(q, approvalId, { stage: calledRole ?? stage, alone: calledRole !== null });
  const { rows } = await q.query<{ user_id: string }>(
    "SELECT user_id FROM slack_link WHERE team_id = $1 AND member_id = ANY ($2) ORDER BY user_id LIMIT $3",
    [teamId, people.map(({ id }) => id), MOST_NAMED],
  );
  return rows.map((row) => row.user_id);
}

async function readAskedBy(q: OrgSql, approvalId: string, teamId: string): Promise<string[]> {
  const { rows } = await q.query<{ user_id: string }>(
    `SELECT l.user_id FROM approval a
     JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id
     JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
     JOIN agent_key k ON k.org_id = r.org_id AND k.id = r.agent_key_id
     JOIN slack_link l ON l.team_id = $2 AND l.member_id = ANY (${REQUESTERS})
     WHERE a.org_id = app.org_id() AND a.id = $1 ORDER BY l.user_id LIMIT $3`,
    [approvalId, teamId, MOST_NAMED],
  );
  return rows.map((row) => row.user_id);
}
