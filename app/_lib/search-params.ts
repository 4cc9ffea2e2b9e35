export type SearchParams = Record<string, string | string[] | undefined>;

/** The first value of a query field; an empty one counts as absent. */
export function first(value: string | string[] | undefined): string | undefined {
  const one = Array.isArray(value) ? value[0] : value;
  return one === "" ? undefined : one;
}
