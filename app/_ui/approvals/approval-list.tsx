"use client";

import { useParams } from "next/navigation";
import { type FocusEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useKey } from "@/app/_ui/keys";
import { useHeldList } from "./held-list";
import { ApprovalLink, useMoving } from "./moving";

export type ListEntry = { id: string; isOpen: boolean; node: ReactNode };

type Props = { heading: ReactNode; entries: readonly ListEntry[]; empty: ReactNode };

/**
 * The inbox. Rows never move under a pointer or a focus: new ones wait behind a button that has its place in the
 * heading, and one that was decided elsewhere stays where it is until the list is left.
 */
export function ApprovalList({ heading, entries, empty }: Props) {
  const { id: current } = useParams<{ id?: string }>();
  const [isBusy, setBusy] = useState(false);
  const { shown, held, release } = useHeldList(entries, isBusy);
  useListKeys(shown, current);
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setBusy(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the list is in use.
    <div
      onPointerEnter={() => setBusy(true)}
      onPointerLeave={() => setBusy(false)}
      onFocus={() => setBusy(true)}
      onBlur={onBlur}
    >
      <div className="flex min-h-12 flex-wrap items-center gap-x-2 border-b border-line px-4 py-1">
        {heading}
        <NewRows count={held} release={release} />
      </div>
      {shown.length === 0 ? empty : <Rows shown={shown} current={current} />}
    </div>
  );
}

function Rows({ shown, current }: { shown: readonly ListEntry[]; current: string | undefined }) {
  return (
    <ul aria-label="Approvals" className="divide-y divide-line border-b border-line">
      {shown.map((entry) => (
        <li key={entry.id}>
          <ApprovalLink
            id={entry.id}
            aria-current={entry.id === current ? "true" : undefined}
            className={`block px-4 py-3 ${entry.id === current ? "bg-selected" : "hover:bg-sunken"}`}
          >
            {entry.node}
          </ApprovalLink>
        </li>
      ))}
    </ul>
  );
}

function NewRows({ count, release }: { count: number; release: () => void }) {
  return (
    <>
      <p className="sr-only" aria-live="polite">
        {count > 0 ? `${count} new` : ""}
      </p>
      {count > 0 ? (
        <button type="button" className="btn ml-auto" onClick={release}>
          Show {count} new
        </button>
      ) : null}
    </>
  );
}

/**
 * `j` and `k` open the next and the previous row; beyond either end nothing happens. The open one is found by its id,
 * wherever it stands; once it has left the list, its neighbours are those of its last place.
 */
function useListKeys(shown: readonly ListEntry[], current: string | undefined): void {
  const { move } = useMoving();
  const at = shown.findIndex((entry) => entry.id === current);
  const last = useRef<{ id: string | undefined; at: number }>({ id: undefined, at: 0 });
  useEffect(() => {
    if (at >= 0) last.current = { id: current, at };
  }, [at, current]);
  const step = (by: 1 | -1) => {
    const gap = last.current.id === current ? last.current.at : 0;
    const next = at >= 0 ? shown[at + by] : shown[by === 1 ? gap : gap - 1];
    if (next) move(next.id);
  };
  useKey("j", "Next approval", () => step(1));
  useKey("k", "Previous approval", () => step(-1));
}
