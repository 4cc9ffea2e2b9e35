import type { JsonValue } from "@/server/domain/json";
import { originOf, type Range, type View, viewsOf, withoutSpaces } from "@/server/vault/decoded-view";
import { type Needles, needlesFor } from "@/server/vault/needles";

/** Masks secrets in a text that arrives in pieces. What may be the start of a secret is held back. */
type RedactingStream = {
  readonly push: (chunk: string) => string;
  /** The rest. Do not call it when the text was cut off: what is held back may be the first half of a secret. */
  readonly end: () => string;
};

/**
 * Masks exact secrets in what came from outside: as they stand and in the usual encodings, inside longer texts too.
 * It does not see through compression, encryption, more than two layers of escapes, or a secret handed out in pieces.
 */
export type Redactor = {
  readonly text: (text: string) => string;
  /** Keys and values at any depth. */
  readonly json: (value: JsonValue) => JsonValue;
  readonly stream: () => RedactingStream;
};

const MAX_DEPTH = 64;

/** Throws for a secret under 8 bytes. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const needles = needlesFor(secrets);
  const mask = maskFor(needles);
  const text = (value: string): string => replaceRanges(value, secretRanges(value, needles), mask);
  return {
    text,
    json: (value) => redactJson(value, text, 0),
    stream: () => redactingStream(needles, mask),
  };
}

function* occurrences(haystack: string, needle: string): Generator<number> {
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) yield at;
}

function find(view: View, haystack: string, needles: readonly string[], into: Range[]): void {
  for (const needle of needles) {
    for (const at of occurrences(haystack, needle)) into.push(originOf(view, at, at + needle.length));
  }
}

const lowerHex = (text: string) => text.replace(/[A-F]+/g, (run) => run.toLowerCase());

function findEncoded(view: View, needles: Needles, into: Range[]): void {
  find(view, view.text, needles.base64, into);
  find(view, lowerHex(view.text), needles.hex, into);
}

/** The places of all secrets, sorted and without overlap. */
function secretRanges(text: string, needles: Needles): Range[] {
  const found: Range[] = [];
  for (const view of viewsOf(text)) {
    find(view, view.text, view.isBytes ? needles.bytes : needles.plain, found);
    findEncoded(view, needles, found);
    const joined = withoutSpaces(view);
    if (joined) findEncoded(joined, needles, found);
  }
  return merged(found);
}

function merged(ranges: readonly Range[]): Range[] {
  const result: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

function replaceRanges(text: string, ranges: readonly Range[], mask: string): string {
  let at = 0;
  const parts: string[] = [];
  for (const [start, end] of ranges) {
    parts.push(text.slice(at, start), mask);
    at = end;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(at);
}

/** A mask whose first and last characters are in no needle, so that masking cannot put a secret together. */
function maskFor(needles: Needles): string {
  const all = [...needles.plain, ...needles.bytes].join("");
  const isFree = (mask: string) => !all.includes(mask.at(0) ?? "") && !all.includes(mask.at(-1) ?? "");
  const usual = ["[secret]", "<secret>", "(secret)", "\u2039secret\u203a"].find(isFree);
  if (usual) return usual;
  let code = 0x2580;
  while (all.includes(String.fromCharCode(code))) code++;
  return String.fromCharCode(code).repeat(3);
}

function redactJson(value: JsonValue, text: (value: string) => string, depth: number): JsonValue {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return redactNumber(value, text);
  if (value === null || typeof value !== "object") return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => redactJson(item, text, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => [text(key), redactJson(item, text, depth + 1)] as const);
  return Object.fromEntries(entries);
}

/** A secret of digits alone may come back as a number. */
function redactNumber(value: number, text: (value: string) => string): JsonValue {
  const written = String(value);
  const shown = text(written);
  return shown === written ? value : shown;
}

function redactingStream(needles: Needles, mask: string): RedactingStream {
  let held = "";
  return {
    push(chunk) {
      held += chunk;
      if (held.length <= needles.longest) return "";
      const ranges = secretRanges(held, needles);
      const cut = cutBefore(held.length - needles.longest, ranges, held);
      const ready = ranges.filter(([start]) => start < cut);
      const shown = replaceRanges(held.slice(0, cut), ready, mask);
      held = held.slice(cut);
      return shown;
    },
    end() {
      const shown = replaceRanges(held, secretRanges(held, needles), mask);
      held = "";
      return shown;
    },
  };
}

/** Moves a cut out of a secret, and out of a run of backslashes, whose parity says what they escape. */
function cutBefore(wanted: number, ranges: readonly Range[], text: string): number {
  const around = ranges.find(([start, end]) => start < wanted && end > wanted);
  let cut = around ? around[1] : wanted;
  if (around) return cut;
  while (cut > 0 && text[cut - 1] === "\\") cut--;
  return cut === 0 ? wanted : cut;
}
