type Plain = string | number | boolean | bigint | null | Date | readonly string[];
type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that were given. An absent one stays as it is, null empties it. */
export function given<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

const MAX_SHOWN = 120;

function shown(value: Plain | undefined): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  return (typeof value === "object" ? value.join(" ") : String(value)).slice(0, MAX_SHOWN);
}

export type Changes = { readonly changed: string[]; readonly from: string[]; readonly to: string[] };

/** What moves when `fields` are laid over `before`: names, with old and new values as short text for the record. */
export function changesOf(before: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, unknown>>): Changes {
  const moved = Object.keys(fields).filter((name) => shown(before[name] as Plain) !== shown(fields[name] as Plain));
  return {
    changed: moved,
    from: moved.map((name) => shown(before[name] as Plain)),
    to: moved.map((name) => shown(fields[name] as Plain)),
  };
}
