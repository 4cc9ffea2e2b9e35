import { z } from "zod";
import type { OrgSql } from "@/server/db/with-org";
import { riskSchema } from "@/server/domain/action";
import { findAction } from "@/server/domain/actions/registry";
import type { MemberActor } from "@/server/domain/actor";
import { type ApprovalReason, approvalReasonSchema } from "@/server/domain/approval-reasons";
import type { Edits } from "@/server/domain/edit";
import type { JsonValue } from "@/server/domain/json";
import { type ApproverRole, approverRoleSchema } from "@/server/domain/roles";
import { DENIALS, type DenyCode } from "@/server/domain/verdict";
import { type Authority, authorityOver, covered, seesByRight } from "@/server/services/approvals/authority";
import { type MayDecide, mayDecide } from "@/server/services/approvals/may-decide-view";
import { OWN_COULD, type OwnRequest, ownRequestOf } from "@/server/services/approvals/own-request";
import { REQUESTERS } from "@/server/services/approvals/requesters";
import { type WhoCould, whoCouldApprove } from "@/server/services/approvals/who-could";
import { openJson } from "@/server/services/gateway/content";
import { type EditView, openEdits, readEdits, type StoredEdit, withheldEdits } from "@/server/services/requests/edits";

const bytes = z.instanceof(Buffer);
const rowSchema = z.object({
  id: z.string(),
  request_id: z.string(),
  request_version: z.int(),
  request_status: z.string(),
  digest: bytes,
  status: z.string(),
  reasons: z.array(approvalReasonSchema),
  required_role: approverRoleSchema,
  required_people: z.int(),
  is_held: z.boolean(),
  expires_at: z.date().nullable(),
  created_at: z.date(),
  decided_at: z.date().nullable(),
  reminded_at: z.date().nullable(),
  escalated_to: approverRoleSchema.nullable(),
  escalated_at: z.date().nullable(),
  action: z.string(),
  risk: riskSchema,
  effect: z.enum(["read", "write"]),
  is_outward: z.boolean(),
  is_irreversible: z.boolean(),
  price_micros: z.string().nullable(),
  price_currency: z.string().nullable(),
  sealed_arguments: bytes.nullable(),
  sealed_present: bytes.nullable(),
  sealed_note: bytes.nullable(),
  blocked_check: z.string().nullable(),
  blocked_code: z.string().nullable(),
  agent_id: z.string(),
  agent_name: z.string(),
  owner_id: z.string(),
  owner_name: z.string(),
  requesters: z.array(z.string()),
  own_could: z.boolean(),
  taken_up_by_id: z.string().nullable(),
  taken_up_by_name: z.string().nullable(),
  compensates_id: z.string().nullable(),
  connection_id: z.string(),
  connection_name: z.string(),
  provider: z.string(),
  account: z.string(),
  labels: z.array(z.string()),
  seen: z.array(z.string()),
  given: z.array(
    z.object({ memberId: z.string(), name: z.string(), decision: z.string(), at: z.string(), isOwn: z.boolean() }),
  ),
});
export type ApprovalRow = z.output<typeof rowSchema> & {
  readonly whoCould: WhoCould | null;
  readonly edits: readonly StoredEdit[];
  /** What the reader may decide of it. */
  readonly authority: Authority;
};
type Row = ApprovalRow;

const SELECT_APPROVALS = `SELECT a.id, a.request_id, r.version AS request_version, r.status AS request_status, a.digest, a.status, a.reasons,
    a.required_role, a.required_people, a.is_held, a.expires_at, a.created_at, a.decided_at, a.reminded_at, a.escalated_to, a.escalated_at, r.action, r.risk, r.effect, r.is_outward, r.is_irreversible,
    r.price_micros::text, r.price_currency, r.sealed_arguments AS sealed_present, COALESCE(e.sealed_arguments, r.sealed_arguments) AS sealed_arguments, r.sealed_note, r.blocked_check, r.blocked_code, r.agent_id, g.name AS agent_name,
    g.owner_id, o.name AS owner_name, ${REQUESTERS} AS requesters, ${OWN_COULD} AS own_could, r.taken_up_by_id, u.name AS taken_up_by_name, r.compensates_id, c.id AS connection_id, c.name AS connection_name, c.provider, c.account, s.labels,
    ARRAY(SELECT t.target FROM seen_target t WHERE t.org_id = r.org_id AND t.agent_id = r.agent_id AND t.connection_id = r.connection_id LIMIT 1000) AS seen,
    COALESCE((SELECT jsonb_agg(jsonb_build_object('memberId', d.member_id, 'name', m.name, 'decision', d.decision, 'at', d.decided_at, 'isOwn', d.is_own) ORDER BY d.id)
      FROM decision d JOIN member m ON m.org_id = d.org_id AND m.id = d.member_id WHERE d.org_id = a.org_id AND d.approval_id = a.id), '[]') AS given
  FROM approval a
  JOIN tool_request r ON r.org_id = a.org_id AND r.id = a.request_id
  JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id
  JOIN member o ON o.org_id = g.org_id AND o.id = g.owner_id
  JOIN agent_key k ON k.org_id = r.org_id AND k.id = r.agent_key_id
  JOIN connection c ON c.org_id = r.org_id AND c.id = r.connection_id
  JOIN session s ON s.org_id = r.org_id AND s.id = r.session_id
  -- What an approval was asked for is the version that the first edit after it replaced; without one, the present version.
  LEFT JOIN LATERAL (SELECT x.sealed_arguments FROM request_edit x WHERE x.org_id = a.org_id AND x.request_id = a.request_id
    AND (x.approval_id = a.id OR x.edited_at > a.created_at) ORDER BY x.edited_at, x.approval_id LIMIT 1) e ON true
  LEFT JOIN member u ON u.org_id = r.org_id AND u.id = r.taken_up_by_id
  WHERE a.org_id = app.org_id()`;

/** An approval as people see it. `arguments` and `note` are null where the reader may not see content. */
export type ApprovalView = {
  readonly id: string;
  readonly requestId: string;
  readonly requestVersion: number;
  readonly requestStatus: string;
  /** 64 hex digits; the decision posts it back. */
  readonly digest: string;
  readonly status: string;
  readonly action: string;
  readonly summary: string;
  readonly connection: {
    readonly id: string;
    readonly name: string;
    readonly provider: string;
    readonly account: string;
  };
  readonly agent: { readonly id: string; readonly name: string; readonly owner: string };
  readonly arguments: JsonValue;
  /** The agent's own words about it. */
  readonly note: string | null;
  readonly isContentWithheld: boolean;
  /** What may be changed before approving. */
  readonly editable: Edits;
  /** What approvers changed of the request, oldest first. */
  readonly edits: readonly EditView[];
  readonly reasons: readonly ApprovalReason[];
  readonly risk: "low" | "medium" | "high";
  readonly effect: "read" | "write";
  readonly isOutward: boolean;
  readonly isIrreversible: boolean;
  readonly undoSeconds: number;
  readonly price: { readonly micros: string; readonly currency: string } | null;
  readonly labels: readonly string[];
  /** Targets that this agent reached before over this connection. */
  readonly seenTargets: readonly string[];
  readonly blocked: { readonly check: string; readonly code: string; readonly message: string } | null;
  readonly isHeld: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly decidedAt: Date | null;
  readonly remindedAt: Date | null;
  /** The role that it went on to last, since nobody decided. */
  readonly escalated: { readonly to: ApproverRole; readonly at: Date } | null;
  readonly required: { readonly people: number; readonly role: ApproverRole };
  /** How many have approved so far. */
  readonly given: number;
  readonly decisions: readonly {
    readonly memberId: string;
    readonly name: string;
    readonly decision: string;
    readonly at: string;
    /** Who decided counted as having asked. */
    readonly isOwn: boolean;
  }[];
  /** Whether who asked may decide it now, or did: nobody else looks at it, or did. */
  readonly ownRequest: OwnRequest | null;
  readonly mayDecide: MayDecide;
  /** Who took it up, where it came of a proposal. */
  readonly takenUpBy: { readonly id: string; readonly name: string } | null;
  /** The earlier request that this one makes good for. */
  readonly compensates: string | null;
  /** Who could approve it at this moment; null once it waits no longer. */
  readonly whoCould: WhoCould | null;
};

/**
 * Reads approvals that `reader` may see, by a clause on `a` whose parameters begin at $2, in the caller's transaction.
 * The clause is program text, never input. Null is the product itself, which sees all and decides nothing.
 */
export async function readApprovals(
  q: OrgSql,
  reader: MemberActor | null,
  clause: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const seen = reader !== null && seesByRight(reader) ? covered("$1") : "$1::text IS NOT NULL";
  const readerId = reader?.memberId ?? "";
  const { rows } = await q.query(`${SELECT_APPROVALS} AND ${seen} AND ${clause}`, [readerId, ...values]);
  const read = z.array(rowSchema).parse(rows);
  const waiting = read.filter((row) => row.status === "pending").map((row) => row.id);
  const whoCould = await whoCouldApprove(q, waiting);
  const edits = await readEdits(
    q,
    read.map((row) => row.request_id),
  );
  const authority = await authorityOver(q, readerId, waiting);
  return read.map((row) => ({
    ...row,
    authority: authority.get(row.id) ?? "none",
    whoCould: whoCould.get(row.id) ?? null,
    edits: edits.filter((edit) => edit.request_id === row.request_id),
  }));
}

/** The organization's wish for undo windows, in seconds. */
export async function readUndoSeconds(q: OrgSql): Promise<number> {
  const { rows } = await q.query<{ undo_seconds: number }>("SELECT undo_seconds FROM organization");
  return rows[0]?.undo_seconds ?? 0;
}

async function openContent(orgId: string, row: Row, maySee: boolean) {
  const open = (kind: "arguments" | "note", sealed: Buffer | null): JsonValue | Promise<JsonValue> =>
    maySee && sealed !== null ? openJson(orgId, row.request_id, kind, sealed) : null;
  const [args, note, edits] = await Promise.all([
    open("arguments", row.sealed_arguments),
    open("note", row.sealed_note),
    maySee ? openEdits(orgId, row.request_id, row.edits, row.sealed_present) : withheldEdits(row.edits),
  ]);
  return { args, note, edits };
}

export async function toView(orgId: string, actor: MemberActor, row: Row, undoS: number): Promise<ApprovalView> {
  const maySee = maySeeContent(actor);
  const { args, note, edits } = await openContent(orgId, row, maySee);
  const action = findAction(row.action);
  return {
    id: row.id,
    requestId: row.request_id,
    requestVersion: row.request_version,
    requestStatus: row.request_status,
    digest: row.digest.toString("hex"),
    status: row.status,
    action: row.action,
    summary: action?.summary ?? "",
    connection: { id: row.connection_id, name: row.connection_name, provider: row.provider, account: row.account },
    agent: { id: row.agent_id, name: row.agent_name, owner: row.owner_name },
    arguments: args,
    note: typeof note === "string" ? note : null,
    isContentWithheld: !maySee,
    editable: editableOf(action, maySee),
    edits,
    reasons: row.reasons,
    risk: row.risk,
    effect: row.effect,
    isOutward: row.is_outward,
    isIrreversible: row.is_irreversible,
    undoSeconds: action?.undo ? Math.min(action.undo.maxS, Math.max(action.undo.minS, undoS)) : 0,
    price:
      row.price_micros === null || row.price_currency === null
        ? null
        : { micros: row.price_micros, currency: row.price_currency },
    labels: row.labels,
    seenTargets: row.seen,
    blocked: blockedOf(row),
    isHeld: row.is_held,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    decidedAt: row.decided_at,
    remindedAt: row.reminded_at,
    escalated: escalatedOf(row),
    required: { people: row.required_people, role: row.required_role },
    given: row.given.filter((decision) => decision.decision === "approve").length,
    decisions: row.given,
    ownRequest: ownRequestOf(row),
    mayDecide: mayDecide(actor, row),
    takenUpBy: row.taken_up_by_id === null ? null : { id: row.taken_up_by_id, name: row.taken_up_by_name ?? "" },
    compensates: row.compensates_id,
    whoCould: row.whoCould,
  };
}

const escalatedOf = ({ escalated_to: to, escalated_at: at }: Row): ApprovalView["escalated"] =>
  to === null || at === null ? null : { to, at };

/** Whoever sees by right sees what they decide about, and nothing else. */
const maySeeContent = (actor: MemberActor): boolean => actor.permissions.has("content:read") || seesByRight(actor);

const editableOf = (action: ReturnType<typeof findAction>, maySee: boolean): Edits =>
  action !== null && maySee ? action.edits : {};

function blockedOf(row: Row): ApprovalView["blocked"] {
  if (row.blocked_code === null) return null;
  const message = DENIALS[row.blocked_code as DenyCode] ?? "A check refuses it at the moment.";
  return { check: row.blocked_check ?? "", code: row.blocked_code, message };
}
