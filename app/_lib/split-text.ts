import { byteLength } from "./format";

export const FOLD_LINES = 60;
export const FOLD_BYTES = 8192;

export type SplitText = { head: string; rest: string; lines: number; bytes: number };

/** The part of a text that shows at once, and what is behind "Show all": 60 lines or 8 KB, whichever ends first. */
export function splitText(text: string): SplitText {
  const bytes = byteLength(text);
  const at = Math.min(endOfLine(text, FOLD_LINES), endOfBytes(text, bytes));
  return { head: text.slice(0, at), rest: text.slice(at), lines: countLines(text), bytes };
}

/** Bytes of one code point in UTF-8; a lone surrogate becomes U+FFFD. */
function utf8Length(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

function endOfLine(text: string, lines: number): number {
  let at = -1;
  for (let line = 0; line < lines; line += 1) {
    at = text.indexOf("\n", at + 1);
    if (at === -1) return text.length;
  }
  return at;
}

function endOfBytes(text: string, bytes: number): number {
  if (bytes <= FOLD_BYTES) return text.length;
  let used = 0;
  let at = 0;
  for (const character of text) {
    used += utf8Length(character);
    if (used > FOLD_BYTES) break;
    at += character.length;
  }
  const space = text.lastIndexOf(" ", at);
  return space > at - 200 && space > 0 ? space : at;
}
