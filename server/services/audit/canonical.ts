import { createHash, randomBytes } from "node:crypto";
import { newId } from "@/server/db/new-id";
import { AUDIT_TYPES, type AuditActor, type AuditEntry } from "@/server/domain/audit";
import { MAX_AUDIT_LIST } from "@/server/domain/audit-types";
import { canonicalBytes } from "@/server/domain/canonical-json";
import type { JsonObject, JsonValue } from "@/server/domain/json";
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
  const document: JsonObject = {
    v: 1,
    id,
    org: orgId,
    type: entry.type,
    at: entry.at.toISOString(),
    actor: actorIn(actor),
    fields: fieldsIn(entry),
    ...present({
      person: entry.personId ?? personOf(actor),
      agent: agentId,
      session: entry.sessionId,
      request: entry.requestId,
      credential: entry.credential,
      approvers: entry.approvers?.length ? entry.approvers.slice(0, MAX_AUDIT_LIST) : undefined,
      personal: personal.length > 0 ? Object.fromEntries(personal.map((p) => [p.field, p.commitment])) : undefined,
    }),
  };
  const canonical = canonicalBytes(document);
  return {
    id,
    type: entry.type,
    requestId: entry.requestId ?? null,
    actorId: actorIdOf(actor),
    agentId: agentId ?? null,
    canonical: Buffer.from(canonical).toString("base64"),
    leaf: leafOf(canonical).toString("base64"),
    ...(personal.length > 0 ? { personal: personal.map(({ field, salt, value }) => ({ field, salt, value })) } : {}),
  };
}

function actorIn(actor: AuditActor): JsonObject {
  switch (actor.kind) {
    case "member":
      return { kind: actor.kind, id: actor.memberId, role: actor.role, via: actor.via, credential: actor.credentialId };
    case "agent":
      return { kind: actor.kind, id: actor.agentId, credential: actor.credentialId, issuedBy: actor.issuedBy };
    case "system":
      return { kind: actor.kind, id: actor.job };
    case "anonymous":
      return { kind: actor.kind };
  }
}

/** As the column holds it: whose doing an entry is. */
function actorIdOf(actor: AuditActor): string | null {
  const id = actorIn(actor).id;
  return typeof id === "string" ? id : null;
}

function personOf(actor: AuditActor): string | undefined {
  if (actor.kind === "member") return actor.memberId;
  return actor.kind === "agent" ? actor.ownerId : undefined;
}

function fieldsIn(entry: AuditEntry): JsonObject {
  const cleaned = Object.fromEntries(
    Object.entries(entry.fields).map(([name, value]) => [name, cleanField(value)] as const),
  );
  const parsed = AUDIT_TYPES[entry.type].safeParse(cleaned);
  if (!parsed.success)
    throw new Error(`${entry.type} has a field that its list does not allow`, { cause: parsed.error });
  return present(parsed.data);
}

function cleanField(value: unknown): unknown {
  if (typeof value === "string") return auditText(value);
  if (!Array.isArray(value)) return value;
  return value.slice(0, MAX_AUDIT_LIST).map((item: unknown) => (typeof item === "string" ? auditText(item) : item));
}

function present(members: Readonly<Record<string, JsonValue | readonly string[] | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

const SALT_BYTES = 16;

function commitment(field: string, value: string) {
  const salt = randomBytes(SALT_BYTES);
  const text = auditText(value);
  return { field, salt: salt.toString("base64"), value: text, commitment: commitmentTo(salt, text).toString("hex") };
}

/** SHA-256 over salt and value: shows later that a value is what was recorded, and without it tells nothing. */
export function commitmentTo(salt: Uint8Array, value: string): Buffer {
  return createHash("sha256").update(salt).update(value, "utf8").digest();
}
