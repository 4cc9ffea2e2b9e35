import { z } from "zod";

// What a person cannot see: C0 and C1 controls (tab and line breaks apart), and the bidirectional overrides and
// isolates that show text in another order than it runs in.
const UNSEEN = /[^\P{Cc}\t\n\r]|[\u202A-\u202E\u2066-\u2069]/u;
const LINE_BREAK = /[\n\r\u2028\u2029]/u;
const PLAIN_SEGMENT = /^[\w$-]{1,64}$/u;

/** Whether the text can be stored and hashed faithfully: no lone surrogate and no NUL (PostgreSQL text holds neither). */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}

/** Cuts to at most `maxUnits` UTF-16 units without leaving half a character behind, and marks the cut with an ellipsis. */
export function cutText(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  if (maxUnits < 1) return "";
  const end = maxUnits - 1;
  const splitsPair = end > 0 && isHighSurrogate(text.charCodeAt(end - 1));
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** A schema for written text, 1 to `maxUnits` UTF-16 units after trimming. Refuses what could not be seen or stored. */
export function writtenText(maxUnits: number) {
  return z
    .string()
    .max(maxUnits)
    .trim()
    .min(1)
    .refine((text) => text.isWellFormed() && !UNSEEN.test(text), "must not hold control or direction characters");
}

/** `writtenText` on a single line: for names and titles. */
export function oneLineText(maxUnits: number) {
  return writtenText(maxUnits).refine((text) => !LINE_BREAK.test(text), "must be a single line");
}

export type PathSegment = string | number;

/**
 * A path such as `arguments.to[0]`, safe to log and show: a key that is long or unusual could itself be content, so it
 * appears as `(key)`.
 */
export function showPath(segments: readonly PathSegment[]): string {
  let path = "";
  for (const segment of segments) {
    if (typeof segment === "number") path += `[${segment}]`;
    else path += `${path === "" ? "" : "."}${PLAIN_SEGMENT.test(segment) ? segment : "(key)"}`;
  }
  return path;
}
