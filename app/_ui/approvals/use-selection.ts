import { useRef, useState } from "react";
import type { ListEntry } from "./approval-list";

/** As many as the server decides in one call. */
const MOST_AT_ONCE = 50;

type Chosen = ReadonlyMap<string, string>;

const mayPick = (entry: ListEntry): boolean => entry.isOpen && entry.whyOne === undefined;

/**
 * What is selected, each with the digest that was on screen when it was: what changes later is a conflict, and not
 * decided unseen. What is gone or no longer open is no longer selected.
 */
export function useSelection(shown: readonly ListEntry[]) {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const [note, setNote] = useState("");
  const last = useRef<string | undefined>(undefined);
  const items = shown.filter((entry) => mayPick(entry) && chosen.has(entry.id));
  const toggle = (id: string, withRange = false) => {
    const at = shown.findIndex((entry) => entry.id === id);
    const entry = shown[at];
    if (!entry) return;
    if (!mayPick(entry)) return setNote(entry.whyOne ?? "It is decided already.");
    const from = shown.findIndex((one) => one.id === last.current);
    const isOn = !chosen.has(id);
    const range = withRange && from >= 0 ? shown.slice(Math.min(from, at), Math.max(from, at) + 1) : [entry];
    last.current = id;
    const next = changed(new Map(items.map((one) => [one.id, chosen.get(one.id) ?? ""])), range.filter(mayPick), isOn);
    setNote(next.size > MOST_AT_ONCE ? `At most ${MOST_AT_ONCE} are decided at once.` : "");
    setChosen(new Map([...next].slice(0, MOST_AT_ONCE)));
  };
  const clear = () => {
    setChosen(new Map());
    setNote("");
  };
  const picked = items.map((entry) => ({ entry, digest: chosen.get(entry.id) ?? "" }));
  return { picked, note, toggle, clear, isOn: (id: string) => items.some((entry) => entry.id === id) };
}

function changed(chosen: Chosen, range: readonly ListEntry[], isOn: boolean): Map<string, string> {
  const next = new Map(chosen);
  for (const { id, digest } of range) {
    if (!isOn) next.delete(id);
    else if (!next.has(id)) next.set(id, digest);
  }
  return next;
}
