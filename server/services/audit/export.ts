import { z } from "zod";
import { withOrgSql } from "@/server/db/with-org";
import type { Download } from "@/server/domain/download";
import { sealOrganization } from "@/server/services/audit/chain/seal";
import type { SealedRow } from "@/server/services/audit/chain/source";
import { storedChain } from "@/server/services/audit/chain/stored";
import { csvLine } from "@/server/services/audit/csv";
import { auditSql } from "@/server/services/audit/record";
import { readDocument } from "@/server/services/audit/stored-event";
import { takeTurn } from "@/server/services/audit/turns";
import { command } from "@/server/services/command";

const BATCH = 500;

const CONTENT_TYPES = { jsonl: "application/x-ndjson; charset=utf-8", csv: "text/csv; charset=utf-8" } as const;
type Format = keyof typeof CONTENT_TYPES;

/** The whole sealed log in the order of the chain, as one download. That it was taken is recorded before its first line. */
export const exportAudit = command({
  name: "audit.export",
  callers: ["member"],
  permission: "audit:read",
  input: z.strictObject({ format: z.enum(["jsonl", "csv"]).default("jsonl") }),
  run: async (actor, { format }): Promise<Download> => {
    await takeTurn(actor.orgId, "audit.export");
    await sealOrganization(actor.orgId, { wait: true });
    const { size } = await storedChain(actor.orgId).ends();
    const at = await withOrgSql(actor.orgId, async (q) => {
      const { rows } = await q.query<{ now: Date }>("SELECT now() AS now");
      const now = rows[0]?.now ?? new Date();
      await auditSql(q, { type: "audit.exported", actor, at: now, fields: { format, entries: size } });
      return now;
    });
    return {
      contentType: CONTENT_TYPES[format],
      fileName: `audit-${at.toISOString().slice(0, 10)}.${format}`,
      chunks: chunksOf(actor.orgId, format, size),
    };
  },
});

async function* chunksOf(orgId: string, format: Format, size: number): AsyncGenerator<string> {
  const source = storedChain(orgId);
  const lineOf = format === "csv" ? csvOf : jsonOf;
  if (format === "csv") yield csvLine(COLUMNS);
  for (let from = 0; from < size; from += BATCH) {
    const rows = await source.rows(from, Math.min(from + BATCH, size));
    yield rows.map(lineOf).join("");
  }
}

const hex = (bytes: Uint8Array | undefined) => (bytes ? Buffer.from(bytes).toString("hex") : "");

/** `event` is the hashed text itself: SHA-256 over a zero byte and its bytes is `leaf`. */
function jsonOf(row: SealedRow): string {
  const personal = Object.fromEntries(
    row.personal.map(({ field, salt, value }) => [field, { salt: hex(salt), value }] as const),
  );
  const head = { index: row.index, id: row.eventId, previous: hex(row.previous), hash: hex(row.hash), personal };
  const canonical = row.event?.canonical;
  const isText = canonical !== undefined && readDocument(canonical) !== null;
  const event = isText ? canonical.toString("utf8") : JSON.stringify(canonical?.toString("base64") ?? null);
  return `${JSON.stringify({ ...head, leaf: hex(row.event?.leaf) }).slice(0, -1)},"event":${event}}\n`;
}

const COLUMNS = [
  ...["index", "at", "type", "actor_kind", "actor", "person", "agent", "session", "request", "credential", "approvers"],
  ...["fields", "name", "email", "address", "user_agent", "id", "hash"],
];

function csvOf(row: SealedRow): string {
  const document = row.event ? readDocument(row.event.canonical) : null;
  const personal = new Map(row.personal.map(({ field, value }) => [field, value]));
  const cells = [
    ...[String(row.index), document?.at, document?.type ?? row.event?.type, document?.actor.kind, document?.actor.id],
    ...[document?.person, document?.agent, document?.session, document?.request, document?.credential],
    ...[document?.approvers?.join(" "), document === null ? "unreadable" : JSON.stringify(document.fields)],
    ...["name", "email", "address", "user_agent"].map((field) => personal.get(field)),
    ...[row.eventId, hex(row.hash)],
  ];
  return csvLine(cells.map((cell) => cell ?? ""));
}
