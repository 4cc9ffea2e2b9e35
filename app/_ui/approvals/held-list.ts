import { useState } from "react";

type Entry = { id: string };

/**
 * Keeps a list still while it is in use: rows that are gone stay as they last were, new ones are held back. Not in
 * use, it follows what the server says.
 */
export function useHeldList<T extends Entry>(entries: readonly T[], isBusy: boolean) {
  const [kept, setKept] = useState(entries);
  const shown = isBusy ? mergeHeld(kept, entries) : entries;
  // State follows the props during rendering, as React asks for derived state.
  if (!isBusy && kept !== entries) setKept(entries);
  const held = isBusy ? entries.filter((entry) => !kept.some(({ id }) => id === entry.id)).length : 0;
  return { shown, held, release: () => setKept(entries) };
}

/** The old rows in their old places, each as new as it can be. */
export function mergeHeld<T extends Entry>(kept: readonly T[], entries: readonly T[]): T[] {
  const fresh = new Map(entries.map((entry) => [entry.id, entry]));
  return kept.map((entry) => fresh.get(entry.id) ?? entry);
}
