import { z } from "zod";
import { commitmentTo } from "@/server/services/audit/canonical";
import { leafOf } from "@/server/services/audit/chain/hashes";
import type { SealedRow, StoredEvent } from "@/server/services/audit/chain/source";

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
  const document = readDocument(event.canonical);
  if (document === null || document.org !== orgId || document.id !== eventId) return false;
  if (!columnsAgree(document, event)) return false;
  return personal.every(
    ({ field, salt, value }) => document.personal[field] === commitmentTo(salt, value).toString("hex"),
  );
}

function columnsAgree(document: StoredDocument, event: StoredEvent): boolean {
  return (
    document.type === event.type &&
    document.request === event.requestId &&
    (document.actor.id ?? null) === event.actorId &&
    document.agent === event.agentId
  );
}
