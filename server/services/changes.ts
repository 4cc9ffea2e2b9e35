import { canonicalJson } from "@/server/domain/canonical-json";
import type { JsonValue } from "@/server/domain/json";

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that were given. An absent one stays as it is, null empties it. */
export function given<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** As one text, whatever the order of an object's keys. */
function written(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string" || typeof value === "bigint") return `${value}`;
  return canonicalJson(value as JsonValue);
}

const MAX_SHOWN = 120;
type Fields = Readonly<Record<string, unknown>>;

/** The names of the settings that move when `fields` are laid over `before`. */
export const changedNames = (before: Fields, fields: Fields): string[] =>
  Object.keys(fields).filter((name) => written(before[name]) !== written(fields[name]));

/** The same with old and new values as short text, for settings that are not content. */
export function changesOf(before: Fields, fields: Fields): { changed: string[]; from: string[]; to: string[] } {
  const changed = changedNames(before, fields);
  return {
    changed,
    from: changed.map((name) => written(before[name]).slice(0, MAX_SHOWN)),
    to: changed.map((name) => written(fields[name]).slice(0, MAX_SHOWN)),
  };
}
