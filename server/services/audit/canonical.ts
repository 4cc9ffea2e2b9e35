import { createHash, randomBytes } from "node:crypto";
import { newId } from "@/server/db/new-id";
import { AUDIT_TYPES, type AuditActor, type AuditEntry } from "@/server/domain/audit";
import { MAX_AUDIT_LIST } from "@/server/domain/audit-types";
import { leafOf } from "@/server/services/audit/chain/hashes";
import { auditText } from "@/server/services/audit/text";

/** One event as `app.write_audit` takes it; bytes in base64. */
export type AuditRow = {
  readonly id: string;
  readonly type: string;
  readonly requestId: string | null;
  readonly actorId: string | null;
  readonly agentId: string | null;
  readonly canonical: string;
  readonly leaf: string;
  readonly personal?: readonly { readonly field: string; readonly salt: string; readonly value: string }[];
};

/**
 * An entry in the RFC 8785 bytes that are chained, strings cut and masked, personal values as salted commitments.
 * Throws Error for a field that the entry's type does not list: a bug, and nothing is recorded.
 */
export function canonicalEvent(orgId: string, entry: AuditEntry): AuditRow {
  const { actor } = entry;
  if (actor.kind !== "anonymous" && actor.orgId !== orgId) throw new Error("the actor is of another organization");
  const id = newId("auditEvent");
  const agentId = entry.agentId ?? (actor.kind === "agent" ? actor.agentId : undefined);
  const personal = Object.entries(entry.personal ?? {}).map(([field, value]) => commitment(field, value));
  const canonical = Buffer.from(canonicalText({ id, orgId, agentId, personal }, entry), "utf8");
  const kept = personal.map(({ field, salt, value }) => ({ field, salt, value }));
  return {
    id,
    type: entry.type,
    requestId: entry.requestId ?? null,
    actorId: actorIdOf(actor),
    agentId: agentId ?? null,
    canonical: canonical.toString("base64"),
    leaf: leafOf(canonical).toString("base64"),
    ...(kept.length > 0 ? { personal: kept } : {}),
  };
}

type Made = {
  readonly id: string;
  readonly orgId: string;
  readonly agentId: string | undefined;
  readonly personal: readonly Commitment[];
};

/**
 * RFC 8785 by construction: every object here is made with its members in the order of their names, and the rest of that
 * standard is what JSON.stringify does. Ten times as fast as sorting afterwards, on the path of every call.
 */
function canonicalText({ id, orgId, agentId, personal }: Made, entry: AuditEntry): string {
  return JSON.stringify({
    actor: actorIn(entry.actor),
    agent: agentId,
    approvers: entry.approvers?.length ? entry.approvers.slice(0, MAX_AUDIT_LIST) : undefined,
    at: entry.at.toISOString(),
    credential: entry.credential,
    fields: fieldsIn(entry),
    id,
    org: orgId,
    person: entry.personId ?? personOf(entry.actor),
    personal: personal.length > 0 ? ordered(personal.map((p) => [p.field, p.commitment])) : undefined,
    request: entry.requestId,
    session: entry.sessionId,
    type: entry.type,
    v: 1,
  });
}

function actorIn(actor: AuditActor): Readonly<Record<string, string>> {
  switch (actor.kind) {
    case "member": {
      const { credentialId: credential, memberId: id, kind, role, via } = actor;
      return { credential, id, kind, role, via };
    }
    case "agent": {
      const { credentialId: credential, agentId: id, issuedBy, kind } = actor;
      return { credential, id, issuedBy, kind };
    }
    case "system":
      return { id: actor.job, kind: actor.kind };
    case "anonymous":
      return { kind: actor.kind };
  }
}

/** As the column holds it: whose doing an entry is. */
const actorIdOf = (actor: AuditActor): string | null => actorIn(actor).id ?? null;

function personOf(actor: AuditActor): string | undefined {
  if (actor.kind === "member") return actor.memberId;
  return actor.kind === "agent" ? actor.ownerId : undefined;
}

function fieldsIn(entry: AuditEntry): Record<string, unknown> {
  const cleaned: Record<string, unknown> = ordered(
    Object.entries(entry.fields).map(([name, value]) => [name, cleanField(value)] as const),
  );
  const { success, error } = AUDIT_TYPES[entry.type].safeParse(cleaned);
  if (!success) throw new Error(`${entry.type} has a field that its list does not allow`, { cause: error });
  return cleaned;
}

function cleanField(value: unknown): unknown {
  if (typeof value === "string") return auditText(value);
  if (!Array.isArray(value)) return value;
  return value.slice(0, MAX_AUDIT_LIST).map((item: unknown) => (typeof item === "string" ? auditText(item) : item));
}

/** Names are plain ASCII words, for which the order of characters is the order that the standard asks for. */
function ordered<T>(members: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries([...members].sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Commitment = {
  readonly field: string;
  readonly salt: string;
  readonly value: string;
  readonly commitment: string;
};

const SALT_BYTES = 16;

function commitment(field: string, value: string): Commitment {
  const salt = randomBytes(SALT_BYTES);
  const text = auditText(value);
  return { field, salt: salt.toString("base64"), value: text, commitment: commitmentTo(salt, text).toString("hex") };
}

/** SHA-256 over salt and value: shows later that a value is what was recorded, and without it tells nothing. */
export function commitmentTo(salt: Uint8Array, value: string): Buffer {
  return createHash("sha256").update(salt).update(value, "utf8").digest();
}
