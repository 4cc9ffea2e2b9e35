/** What a value becomes on the wire: times as RFC 3339 text, bigints as decimal text, absent members left out. */
export type Wire<T> = T extends bigint | Date
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer U)[]
      ? Wire<U>[]
      : T extends object
        ? { [K in keyof T]: Wire<T[K]> }
        : T;

/** Makes `value` ready for JSON. Throws on what has no place in an answer: bytes, functions, symbols. */
export function toWire<T>(value: T): Wire<T> {
  return convert(value) as Wire<T>;
}

function convert(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") throw new TypeError("not a value for the wire");
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(convert);
  if (ArrayBuffer.isView(value)) throw new TypeError("bytes are not a value for the wire");
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, convert(member)]));
}
