import { useState } from "react";

type Entry = { id: string; isOpen: boolean };

/**
 * Keeps a list still. A row keeps its place for as long as the list is on screen, also once it is decided; while the
 * list is in use, new rows are held back and none is taken away.
 */
export function useHeldList<T extends Entry>(entries: readonly T[], isBusy: boolean) {
  const [state, setState] = useState({ seen: entries, order: entries });
  const order = isBusy ? mergeHeld(state.order, entries) : orderRows(state.order, entries);
  // State follows the props during rendering, as React asks for derived state.
  if (state.seen !== entries && !isBusy) setState({ seen: entries, order });
  const held = isBusy ? entries.filter((entry) => !order.some(({ id }) => id === entry.id)).length : 0;
  return { shown: order, held, release: () => setState({ seen: entries, order: orderRows(state.order, entries) }) };
}

/** The old rows in their old places, each as new as it can be. */
export function mergeHeld<T extends Entry>(kept: readonly T[], entries: readonly T[]): T[] {
  const fresh = new Map(entries.map((entry) => [entry.id, entry]));
  return kept.map((entry) => fresh.get(entry.id) ?? entry);
}

/** What is still there in its old order; new ones that wait go behind the last that waits, others to the end. */
export function orderRows<T extends Entry>(kept: readonly T[], entries: readonly T[]): T[] {
  const ids = new Set(entries.map(({ id }) => id));
  const known = new Set(kept.map(({ id }) => id));
  const old = mergeHeld(
    kept.filter(({ id }) => ids.has(id)),
    entries,
  );
  const added = entries.filter(({ id }) => !known.has(id));
  const at = old.findLastIndex((entry) => entry.isOpen) + 1;
  return [
    ...old.slice(0, at),
    ...added.filter((entry) => entry.isOpen),
    ...old.slice(at),
    ...added.filter((entry) => !entry.isOpen),
  ];
}
