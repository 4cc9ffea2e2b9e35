const DELAYS_S = [15, 30, 60, 120, 300, 600, 1_200, 2_400, 3_600, 7_200] as const;
const JITTER_MS = 30_000;
const MIN_RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = 86_400_000;

export type Backoff = (attempt: number) => number;

/** Inngest's own delay before the next attempt, in ms: from 15 s up to 2 h, plus up to 30 s so that retries spread. */
export const inngestBackoff: Backoff = (attempt) => {
  const seconds = DELAYS_S[Math.min(attempt, DELAYS_S.length - 1)] ?? DELAYS_S[0];
  return seconds * 1_000 + Math.random() * JITTER_MS;
};

/** When to try again, in epoch ms: what `retry-after` asks for, kept between one second and a day, or the back-off. */
export function retryAt(retryAfter: string | null, attempt: number, now: number, backoff: Backoff): number {
  if (!retryAfter) return now + backoff(attempt);
  const asked = /^\d{1,7}$/.test(retryAfter) ? now + Number(retryAfter) * 1_000 : Date.parse(retryAfter);
  if (Number.isNaN(asked)) return now + backoff(attempt);
  return Math.min(Math.max(asked, now + MIN_RETRY_AFTER_MS), now + MAX_RETRY_AFTER_MS);
}
