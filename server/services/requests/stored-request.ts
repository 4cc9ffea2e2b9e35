import { z } from "zod";
import type { OrgSql } from "@/server/db/with-org";
import { riskSchema } from "@/server/domain/action";
import { approvalReasonSchema } from "@/server/domain/approval-reasons";
import { isJsonObject } from "@/server/domain/json";
import { approverRoleSchema } from "@/server/domain/roles";
import { requestStatusSchema } from "@/server/domain/tool-request";
import { openJson } from "@/server/services/gateway/content";
import { type ParsedCall, parseCall } from "@/server/services/gateway/prepare-call";

const bytes = z.instanceof(Buffer);

const rowSchema = z.object({
  id: z.string(),
  status: requestStatusSchema,
  version: z.int(),
  agent_id: z.string(),
  agent_key_id: z.string(),
  connection_id: z.string().nullable(),
  session_id: z.string(),
  reference: z.string(),
  action: z.string(),
  risk: riskSchema,
  nonce: bytes,
  digest: bytes.nullable(),
  approval_id: z.string().nullable(),
  sealed_arguments: bytes.nullable(),
  sealed_note: bytes.nullable(),
  blocked_code: z.string().nullable(),
  is_proposal: z.boolean(),
  is_taken_up: z.boolean(),
  runs_at: z.date().nullable(),
});

/** A request as its row holds it, sealed. */
export type StoredRequest = ReturnType<typeof toStored>;

function toStored(row: z.output<typeof rowSchema>) {
  return {
    id: row.id,
    status: row.status,
    version: row.version,
    agentId: row.agent_id,
    keyId: row.agent_key_id,
    connectionId: row.connection_id,
    sessionId: row.session_id,
    sessionReference: row.reference,
    action: row.action,
    risk: row.risk,
    nonce: row.nonce,
    digest: row.digest?.toString("hex") ?? null,
    approvalId: row.approval_id,
    sealedArguments: row.sealed_arguments,
    sealedNote: row.sealed_note,
    blockedCode: row.blocked_code,
    isProposal: row.is_proposal,
    /** It came of a proposal that a person took up. */
    isTakenUp: row.is_taken_up,
    runsAt: row.runs_at,
  };
}

const FIND = `SELECT r.id, r.status, r.version, r.agent_id, r.agent_key_id, r.connection_id, r.session_id, s.reference, r.action, r.risk, r.nonce,
    r.digest, r.approval_id, r.sealed_arguments, r.sealed_note, r.blocked_code, r.is_proposal,
    r.taken_up_by_id IS NOT NULL AS is_taken_up, r.runs_at
  FROM tool_request r JOIN session s ON s.org_id = r.org_id AND s.id = r.session_id
  WHERE r.org_id = app.org_id() AND r.id = $1`;

/** One request of the organization, or null. */
export async function readRequest(q: OrgSql, id: string): Promise<StoredRequest | null> {
  const { rows } = await q.query(FIND, [id]);
  return rows[0] === undefined ? null : toStored(rowSchema.parse(rows[0]));
}

/** The stored call, opened and checked against its action's schema of today. Throws where it no longer fits. */
export async function openCall(orgId: string, stored: StoredRequest): Promise<ParsedCall> {
  if (stored.sealedArguments === null) throw new Error("the request has no stored arguments");
  const json = await openJson(orgId, stored.id, "arguments", stored.sealedArguments);
  const note = stored.sealedNote === null ? undefined : await openJson(orgId, stored.id, "note", stored.sealedNote);
  if (!isJsonObject(json)) throw new Error("stored arguments are an object");
  return parseCall(stored.action, json, typeof note === "string" ? note : undefined);
}

const approvalSchema = z.object({
  id: z.string(),
  request_id: z.string(),
  status: z.string(),
  digest: bytes,
  reasons: z.array(approvalReasonSchema),
  required_role: approverRoleSchema,
  required_people: z.int(),
  rule_version: z.int(),
});

/** What a person is or was asked. */
export type StoredApproval = {
  readonly id: string;
  readonly requestId: string;
  readonly status: string;
  readonly digest: string;
  readonly reasons: readonly z.output<typeof approvalReasonSchema>[];
  readonly requiredRole: z.output<typeof approverRoleSchema>;
  readonly requiredPeople: number;
  readonly ruleVersion: number;
};

/** An approval by its id, or the one a request waits for. */
export async function readApproval(
  q: OrgSql,
  by: { readonly id: string } | { readonly pendingOf: string },
): Promise<StoredApproval | null> {
  const isById = "id" in by;
  const { rows } = await q.query(
    `SELECT id, request_id, status, digest, reasons, required_role, required_people, rule_version FROM approval
     WHERE org_id = app.org_id() AND ${isById ? "id = $1" : "request_id = $1 AND status = 'pending'"}`,
    [isById ? by.id : by.pendingOf],
  );
  if (rows[0] === undefined) return null;
  const row = approvalSchema.parse(rows[0]);
  return {
    id: row.id,
    requestId: row.request_id,
    status: row.status,
    digest: row.digest.toString("hex"),
    reasons: row.reasons,
    requiredRole: row.required_role,
    requiredPeople: row.required_people,
    ruleVersion: row.rule_version,
  };
}
