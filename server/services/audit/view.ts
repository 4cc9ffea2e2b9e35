import { readDocument, type StoredDocument } from "@/server/services/audit/stored-event";

/** A row of the log as it is read for people: the event, its place in the chain, and personal values that are not erased. */
export type AuditRecordRow = {
  readonly id: string;
  readonly type: string;
  readonly created_at: Date;
  readonly canonical: Buffer;
  readonly idx: string | null;
  readonly hash: Buffer | null;
  readonly personal: Readonly<Record<string, string>> | null;
};

export type AuditRecord = {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly actor: StoredDocument["actor"] | null;
  readonly person: string | null;
  readonly agent: string | null;
  readonly session: string | null;
  readonly request: string | null;
  readonly credential: string | null;
  readonly approvers: readonly string[];
  readonly fields: StoredDocument["fields"];
  /** By field; null where the value was erased. */
  readonly personal: Readonly<Record<string, string | null>>;
  /** The place in the chain; null for the moment until it is sealed. */
  readonly index: number | null;
  readonly hash: string | null;
  /** Whether the stored bytes are an entry of ours. Where they are not, verification says what was done. */
  readonly isReadable: boolean;
};

/** What a reader of the log sees of one row. */
export function viewOf(row: AuditRecordRow): AuditRecord {
  const document = readDocument(row.canonical);
  return {
    id: row.id,
    ...(document === null ? unreadable(row) : contentOf(document, row.personal ?? {})),
    index: row.idx === null ? null : Number(row.idx),
    hash: row.hash === null ? null : row.hash.toString("hex"),
    isReadable: document !== null,
  };
}

type Content = Omit<AuditRecord, "id" | "index" | "hash" | "isReadable">;

const NOBODY = { person: null, agent: null, session: null, request: null, credential: null, approvers: [] };

function contentOf(document: StoredDocument, values: Readonly<Record<string, string>>): Content {
  const { v: _version, id: _id, org: _org, personal, ...content } = document;
  const committed = Object.keys(personal).map((field) => [field, values[field] ?? null] as const);
  return { ...content, personal: Object.fromEntries(committed) };
}

const unreadable = ({ type, created_at }: AuditRecordRow): Content => ({
  ...NOBODY,
  type,
  at: created_at.toISOString(),
  actor: null,
  fields: {},
  personal: {},
});
