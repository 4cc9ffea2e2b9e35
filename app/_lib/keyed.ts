/** Pairs each item with a key for React, for lists that are drawn whole and whose items are only their place. */
export function keyed<T>(items: readonly T[]): { key: string; item: T }[] {
  return items.map((item, index) => ({ key: String(index), item }));
}
