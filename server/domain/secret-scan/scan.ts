import type { JsonValue } from "@/server/domain/json";
import { decodings, plainForm } from "@/server/domain/secret-scan/decode";
import { detect } from "@/server/domain/secret-scan/detect";
import { type Field, fieldsOf } from "@/server/domain/secret-scan/fields";
import { kindOfField } from "@/server/domain/secret-scan/keyword";
import { secondOpinion } from "@/server/domain/secret-scan/second-opinion";

/** Where something looks like a secret and what kind it seems to be. Never the value. */
export type Hit = { readonly field: string; readonly kind: string };

export type Outgoing = { readonly arguments: JsonValue; readonly note?: string };

const MAX_HITS = 20;
/** Encodings within encodings that are followed: base 64 of a URL-encoded text, say. */
const MAX_DECODINGS = 2;
/** Characters read over all decodings. A 1 MiB body of base 64 needs about five million. */
const MAX_CHARACTERS = 24_000_000;
const UNREADABLE = "too much encoded text to check";
const SHORTEST = 8;

/**
 * Looks for credentials in everything that would leave: keys and values at any depth, as they are and decoded. Not
 * found: what is compressed, encrypted, split over fields or encoded more than twice. Linear in the size of the input;
 * rejects only when the second opinion cannot be had, and the caller must then deny.
 */
export async function scanForSecrets(outgoing: Outgoing): Promise<Hit[]> {
  const fields = fieldsOf("arguments", outgoing.arguments);
  if (outgoing.note !== undefined) fields.push({ path: "note", name: null, text: outgoing.note });
  const scan: Scan = { hits: [], suspicious: [], charactersLeft: MAX_CHARACTERS };
  for (const field of fields) {
    if (scan.hits.length >= MAX_HITS) break;
    const kind = scanField(field, scan);
    if (kind !== null) addHit(scan.hits, { field: field.path, kind });
  }
  // Whoever is refused already needs no second opinion.
  return scan.hits.length > 0 ? scan.hits : askSecond(scan.suspicious);
}

type Scan = {
  readonly hits: Hit[];
  readonly suspicious: { readonly field: string; readonly text: string }[];
  charactersLeft: number;
};

function scanField({ name, text, path }: Field, scan: Scan): string | null {
  const named = name === null ? null : kindOfField(name, text);
  if (named !== null || text.length < SHORTEST) return named;
  const plain = plainForm(text);
  let level = plain === text ? [text] : [text, plain];
  for (let decoded = 0; level.length > 0; decoded++) {
    const kind = scanTexts(level, path, scan);
    if (kind !== null) return kind;
    level = decoded < MAX_DECODINGS ? level.flatMap(decodings) : [];
  }
  return null;
}

function scanTexts(texts: readonly string[], field: string, scan: Scan): string | null {
  for (const text of texts) {
    scan.charactersLeft -= text.length;
    if (scan.charactersLeft < 0) return UNREADABLE;
    const { kind, isSuspicious } = detect(text);
    if (kind !== null) return kind;
    if (isSuspicious) scan.suspicious.push({ field, text });
  }
  return null;
}

async function askSecond(suspicious: Scan["suspicious"]): Promise<Hit[]> {
  if (suspicious.length === 0) return [];
  const hits: Hit[] = [];
  for (const { textIndex, kind } of await secondOpinion(suspicious.map(({ text }) => text))) {
    addHit(hits, { field: suspicious[textIndex]?.field ?? "arguments", kind });
  }
  return hits.slice(0, MAX_HITS);
}

function addHit(hits: Hit[], hit: Hit): void {
  if (!hits.some(({ field, kind }) => field === hit.field && kind === hit.kind)) hits.push(hit);
}
