"use client";

import Link from "next/link";
import { useParams, useRouter } from "next/navigation";
import { type ReactNode, useRef, useState } from "react";
import { useKey } from "@/app/_ui/keys";
import { useHeldList } from "./held-list";

export type ListEntry = { id: string; title: string; node: ReactNode };

/**
 * The inbox. Rows never move under a pointer or a focus: new ones wait behind a button, and one that was decided
 * elsewhere stays where it is until the list is left.
 */
export function ApprovalList({ entries, empty }: { entries: readonly ListEntry[]; empty: ReactNode }) {
  const { id: current } = useParams<{ id?: string }>();
  const list = useRef<HTMLUListElement>(null);
  const [isBusy, setBusy] = useState(false);
  const { shown, held, release } = useHeldList(entries, isBusy);
  useListKeys(shown, current);
  if (shown.length === 0 && held === 0) return empty;
  return (
    <>
      <NewRows count={held} release={release} />
      <ul
        ref={list}
        aria-label="Approvals"
        className="divide-y divide-line"
        onPointerEnter={() => setBusy(true)}
        onPointerLeave={() => setBusy(false)}
        onFocus={() => setBusy(true)}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) setBusy(false);
        }}
      >
        {shown.map((entry) => (
          <li key={entry.id}>
            <Link
              href={`/approvals/${entry.id}` as never}
              prefetch={false}
              aria-current={entry.id === current ? "true" : undefined}
              className={`block px-4 py-3 ${entry.id === current ? "bg-selected" : "hover:bg-sunken"}`}
            >
              {entry.node}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function NewRows({ count, release }: { count: number; release: () => void }) {
  return (
    <>
      <p className="sr-only" aria-live="polite">
        {count > 0 ? `${count} new` : ""}
      </p>
      <div className={count > 0 ? "px-4 py-2" : "hidden"}>
        <button type="button" className="btn w-full" onClick={release}>
          Show {count} new
        </button>
      </div>
    </>
  );
}

/** `j` and `k` open the next and the previous row; beyond either end nothing happens. */
function useListKeys(shown: readonly ListEntry[], current: string | undefined): void {
  const router = useRouter();
  const step = (by: 1 | -1) => {
    const at = shown.findIndex((entry) => entry.id === current);
    const next = at === -1 ? shown[0] : shown[at + by];
    if (next) router.push(`/approvals/${next.id}` as never, { scroll: true });
  };
  useKey("j", "Next approval", () => step(1));
  useKey("k", "Previous approval", () => step(-1));
}
