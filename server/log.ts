import { logLevel } from "@/server/env";

const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, silent: 90 } as const;
type Level = Exclude<keyof typeof LEVELS, "silent">;

/** Ids, codes, counts and durations. Content and secrets have no place in a log line, so none are redacted. */
export type LogFields = Readonly<
  Record<string, string | number | boolean | bigint | null | undefined | readonly string[]>
>;

function write(level: Level, fields: LogFields, message: string): void {
  if (LEVELS[level] < LEVELS[logLevel()]) return;
  const line = { time: new Date().toISOString(), level, message, ...fields };
  process.stderr.write(`${JSON.stringify(line, (_key, value) => (typeof value === "bigint" ? `${value}` : value))}\n`);
}

const MAX_FRAMES = 8;
const MAX_CAUSES = 4;

const frames = (error: Error) =>
  (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim());

const nameOf = (error: unknown) => {
  if (!(error instanceof Error)) return typeof error;
  const code = "code" in error && typeof error.code === "string" ? `:${error.code.slice(0, 40)}` : "";
  return `${error.name}${code}`;
};

/**
 * What may be logged of a thrown value: names, codes and stack frames along its causes. Messages are left out,
 * since drivers and parsers quote what they were given.
 */
export function errorFields(error: unknown): LogFields {
  const chain: unknown[] = [];
  for (let next = error; next !== undefined && chain.length < MAX_CAUSES; ) {
    chain.push(next);
    next = next instanceof Error ? next.cause : undefined;
  }
  return { error: chain.map(nameOf).join(" < "), frames: error instanceof Error ? frames(error) : [] };
}

const at = (level: Level) => (fields: LogFields, message: string) => write(level, fields, message);

/** JSON lines on stderr, from LOG_LEVEL up. */
export const log = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") } as const;
