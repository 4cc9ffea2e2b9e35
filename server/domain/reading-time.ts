import type { JsonValue } from "@/server/domain/json";

/**
 * Words a minute of adults who read English silently: the mean over 190 studies (Brysbaert, "How many words do we read
 * per minute?", Journal of Memory and Language 109, 2019).
 */
const WORDS_PER_MINUTE = 238;
/** Nearly everybody reads slower than twice the mean: who is faster than that has not read. */
const LENIENCE = 2;
/** To find what is asked, however short, and to press takes at least this. */
const LEAST_MS = 2_000;

const words = new Intl.Segmenter("en", { granularity: "word" });

/** Milliseconds that reading a call's arguments takes at the very least. Words are cut by the rules of Unicode (UAX #29). */
export function leastReadingMs(args: JsonValue): number {
  const perWord = 60_000 / (WORDS_PER_MINUTE * LENIENCE);
  return Math.max(LEAST_MS, Math.round(countWords(args) * perWord));
}

function countWords(value: JsonValue): number {
  if (typeof value === "string") return wordsOf(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countWords(item), 0);
  if (value !== null && typeof value === "object") {
    return Object.values(value).reduce<number>((sum, item) => sum + countWords(item), 0);
  }
  return 1;
}

function wordsOf(text: string): number {
  let count = 0;
  for (const { isWordLike } of words.segment(text)) if (isWordLike) count += 1;
  return count;
}

export type ReadingTime = {
  /** When this person first had it before them, by the database's clock; null where nothing says that they did. */
  readonly openedAt: Date | null;
  readonly leastMs: number;
};

/** Whether an answer at `at` came sooner than its call could have been read. What was never opened was not read. */
export const isTooQuick = ({ openedAt, leastMs }: ReadingTime, at: Date): boolean =>
  openedAt === null || at.getTime() - openedAt.getTime() < leastMs;
