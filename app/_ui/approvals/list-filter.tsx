"use client";

import { Search } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useRef, useState } from "react";
import { useKey } from "@/app/_ui/keys";

const QUERY = "q";
const MINE = "mine";

export type ListFilter = { query: string; isMine: boolean };
type Change = (change: Partial<ListFilter>) => void;

/**
 * What the list is filtered by, for as long as the list is there. It is mirrored in the address, so that it can be kept
 * and shared; the rows are all here, and the page need not be read again.
 */
export function useListFilter(): { filter: ListFilter; change: Change } {
  const params = useSearchParams();
  const [filter, setFilter] = useState({ query: params.get(QUERY) ?? "", isMine: params.get(MINE) === "1" });
  const change: Change = (part) => {
    const next = { ...filter, ...part };
    setFilter(next);
    const url = new URL(window.location.href);
    put(url, QUERY, next.query);
    put(url, MINE, next.isMine ? "1" : "");
    window.history.replaceState(null, "", url);
  };
  return { filter, change };
}

function put(url: URL, name: string, value: string): void {
  if (value === "") url.searchParams.delete(name);
  else url.searchParams.set(name, value);
}

/** Whether a row has every word that was asked for, wherever it stands in it. */
export function isMatch(words: string, query: string): boolean {
  const text = words.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Words of what is asked, by whom, where to and of which risk; or only what waits for oneself. */
export function FilterBar({ filter: { query, isMine }, change }: { filter: ListFilter; change: Change }) {
  const field = useRef<HTMLInputElement>(null);
  useKey("/", "Filter", () => field.current?.focus());
  return (
    <search className="flex w-full items-center gap-3 pb-2">
      <label className="relative min-w-0 flex-1">
        <span className="sr-only">Filter approvals</span>
        <Search
          size={14}
          strokeWidth={1.75}
          aria-hidden
          className="absolute top-1/2 left-2.5 -translate-y-1/2 text-text3"
        />
        <input
          ref={field}
          type="search"
          className="input w-full pl-8"
          placeholder="Filter"
          value={query}
          onChange={(event) => change({ query: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            // Chromium would empty the field: the filter stays, the keys of the list work again.
            event.preventDefault();
            event.currentTarget.blur();
          }}
        />
      </label>
      <label className="flex min-h-8 items-center gap-2 text-sm whitespace-nowrap coarse:min-h-11">
        <input
          type="checkbox"
          className="size-4 accent-ink"
          checked={isMine}
          onChange={(event) => change({ isMine: event.currentTarget.checked })}
        />
        for me
      </label>
    </search>
  );
}
