import { RunFailure } from "@/inngest/local/failure";
import { LIMITS } from "@/inngest/local/limits";

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const PART = /(\d{1,12}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h|d|w)/gy;

function durationMs(text: string): number | undefined {
  let total = 0;
  let end = 0;
  for (const part of text.matchAll(PART)) {
    total += Number(part[1]) * (UNIT_MS[part[2] ?? ""] ?? Number.NaN);
    end = part.index + part[0].length;
  }
  return end === text.length ? total : undefined;
}

/**
 * When something written as Inngest writes it ("1d2h", "90s", or a date) is over, in epoch ms. Empty means now, which
 * is what the SDK sends for a duration of nothing. Throws RunFailure when malformed or more than 366 days ahead.
 */
export function deadline(text: string | undefined, now: number): number {
  if (!text) return now;
  const duration = durationMs(text);
  const at = duration === undefined ? Date.parse(text) : now + duration;
  if (Number.isNaN(at)) throw new RunFailure("InvalidDuration", "neither a duration nor a date");
  if (at - now > LIMITS.waitMs) throw new RunFailure("TimeoutTooLong", "a wait may last 366 days at most");
  return Math.ceil(at);
}
