import { z } from "zod";
import { isJsonObject, type JsonObject } from "@/server/domain/json";
import { commitmentTo } from "@/server/services/audit/canonical";
import { leafOf } from "@/server/services/audit/chain/hashes";
import type { SealedRow, StoredEvent, StoredPersonal } from "@/server/services/audit/chain/source";

const text = z.string().max(1_000);
const named = text.nullish().transform((value) => value ?? null);

/** The canonical document of an event, version 1. What is unknown in a stored one is a sign that it was not written by us. */
export const storedDocument = z.strictObject({
  v: z.literal(1),
  id: text,
  org: text,
  type: text,
  at: z.iso.datetime(),
  actor: z.strictObject({
    kind: z.enum(["member", "agent", "system", "anonymous"]),
    id: text.optional(),
    role: text.optional(),
    via: text.optional(),
    credential: text.optional(),
    issuedBy: text.optional(),
  }),
  person: named,
  agent: named,
  session: named,
  request: named,
  credential: named,
  approvers: z.array(text).default([]),
  fields: z.record(z.string(), z.union([text, z.number(), z.boolean(), z.array(text)])),
  personal: z.record(z.string(), text).default({}),
});
export type StoredDocument = z.infer<typeof storedDocument>;

/** Reads an event's canonical bytes; null where they are not what we write. */
export function readDocument(canonical: Uint8Array): StoredDocument | null {
  try {
    return storedDocument.safeParse(JSON.parse(Buffer.from(canonical).toString("utf8"))).data ?? null;
  } catch {
    return null;
  }
}

/** Whether an event is what was recorded: its leaf, its searchable columns and what is left of its personal values. */
export function isAsRecorded(orgId: string, { event, eventId, personal }: SealedRow): boolean {
  if (event === null || !leafOf(event.canonical).equals(event.leaf)) return false;
  const document = parsed(event.canonical);
  if (document === null || document.org !== orgId || document.id !== eventId) return false;
  return columnsAgree(document, event) && personal.every((value) => isCommitted(document, value));
}

/** The leaf vouches for the bytes, so that their form is not looked at again: a log is long. */
function parsed(canonical: Buffer): JsonObject | null {
  try {
    const document: unknown = JSON.parse(canonical.toString("utf8"));
    return isJsonObject(document) ? document : null;
  } catch {
    return null;
  }
}

function columnsAgree({ type, request, actor, agent }: JsonObject, event: StoredEvent): boolean {
  return (
    type === event.type &&
    (request ?? null) === event.requestId &&
    (agent ?? null) === event.agentId &&
    ((isJsonObject(actor) ? actor.id : null) ?? null) === event.actorId
  );
}

function isCommitted({ personal }: JsonObject, { field, salt, value }: StoredPersonal): boolean {
  return isJsonObject(personal) && personal[field] === commitmentTo(salt, value).toString("hex");
}
