"use client";

import { useParams } from "next/navigation";
import { type FocusEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Empty } from "@/app/_ui/bits";
import { useKey } from "@/app/_ui/keys";
import { SafeText } from "@/app/_ui/safe-text";
import { useHeldList } from "./held-list";
import { FilterBar, isMatch, type ListFilter, useListFilter } from "./list-filter";
import { ApprovalLink, useMoving } from "./moving";
import { Results, type RowResult, SelectionBar } from "./selection-bar";
import { useSelection } from "./use-selection";

export type ListEntry = {
  id: string;
  isOpen: boolean;
  digest: string;
  title: string;
  target: string;
  /** Why it cannot be selected with others, if so. */
  whyOne?: string;
  /** Everything that a filter looks at. */
  words: string;
  forYou: boolean;
  node: ReactNode;
};

type Props = { heading: ReactNode; entries: readonly ListEntry[]; maySelect: boolean; empty: ReactNode };

/**
 * The inbox. Rows never move under a pointer or a focus: new ones wait behind a button that has its place in the
 * heading, and one that was decided elsewhere stays where it is until the list is left.
 */
export function ApprovalList({ heading, entries, maySelect, empty }: Props) {
  const { id: current } = useParams<{ id?: string }>();
  const [isBusy, setBusy] = useState(false);
  const { shown: all, held, release } = useHeldList(entries, isBusy);
  const { filter, change } = useListFilter();
  const shown = all.filter((entry) => isShown(entry, filter));
  useListKeys(shown, current);
  const selection = useSelection(shown);
  const [results, setResults] = useState<readonly RowResult[]>([]);
  useKey("x", "Select the open approval", () => (current ? selection.toggle(current) : undefined), maySelect);
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
      <div className="border-b border-line px-4">
        <div className="flex min-h-12 flex-wrap items-center gap-x-2 py-1">
          {heading}
          <NewRows count={held} release={release} />
        </div>
        {all.length > 0 ? <FilterBar filter={filter} change={change} /> : null}
      </div>
      <Results results={results} clear={() => setResults([])} />
      {shown.length === 0 ? (
        all.length === 0 ? (
          empty
        ) : (
          <NothingMatches clear={() => change({ query: "", isMine: false })} />
        )
      ) : (
        <Rows shown={shown} current={current} {...(maySelect ? { selection } : {})} results={results} />
      )}
      <SelectionBar picked={selection.picked} note={selection.note} clear={selection.clear} onResults={setResults} />
    </div>
  );
}

/** What was decided stays where it was, whomever it waited for. */
const isShown = ({ words, isOpen, forYou }: ListEntry, { query, isMine }: ListFilter): boolean =>
  isMatch(words, query) && !(isMine && isOpen && !forYou);

function NothingMatches({ clear }: { clear: () => void }) {
  return (
    <Empty>
      <p>Nothing here matches the filter.</p>
      <button type="button" className="btn" onClick={clear}>
        Clear filter
      </button>
    </Empty>
  );
}

type RowsProps = {
  shown: readonly ListEntry[];
  current: string | undefined;
  /** Absent where nothing is for this person to decide. */
  selection?: Pick<ReturnType<typeof useSelection>, "toggle" | "isOn">;
  results: readonly RowResult[];
};

function Rows({ shown, ...rest }: RowsProps) {
  return (
    <ul aria-label="Approvals" className="divide-y divide-line border-b border-line">
      {shown.map((entry) => (
        <Row key={entry.id} entry={entry} {...rest} />
      ))}
    </ul>
  );
}

function Row({ entry, current, selection, results }: Omit<RowsProps, "shown"> & { entry: ListEntry }) {
  const isCurrent = entry.id === current;
  const look = selection?.isOn(entry.id) ? "bg-sunken" : "";
  return (
    <li className={`flex ${isCurrent ? "bg-selected" : look}`}>
      {selection ? <SelectBox entry={entry} selection={selection} /> : null}
      <span className="min-w-0 flex-1">
        <ApprovalLink
          id={entry.id}
          aria-current={isCurrent ? "true" : undefined}
          className={`block py-3 pr-4 ${selection ? "pl-1" : "pl-4"} ${isCurrent ? "" : "hover:bg-sunken"}`}
        >
          {entry.node}
        </ApprovalLink>
        <RowNote result={results.find(({ id }) => id === entry.id)} />
      </span>
    </li>
  );
}

function RowNote({ result }: { result: RowResult | undefined }) {
  if (!result) return null;
  return <p className={`pr-4 pb-2 pl-1 text-sm ${result.ok ? "text-text2" : "text-stop"}`}>{result.text}</p>;
}

/** Selects a row, with shift everything from the last one to it. What cannot be selected says why. */
function SelectBox({ entry, selection }: { entry: ListEntry; selection: NonNullable<RowsProps["selection"]> }) {
  const why = entry.isOpen ? entry.whyOne : "It is decided.";
  return (
    <label className="grid w-11 shrink-0 cursor-pointer place-items-center" title={why}>
      <span className="sr-only">
        {why === undefined ? "Select" : `Not selectable. ${why}`} <SafeText text={entry.title} oneLine />
      </span>
      <input
        type="checkbox"
        className="size-4 accent-ink"
        checked={selection.isOn(entry.id)}
        disabled={why !== undefined}
        onChange={(event) => selection.toggle(entry.id, isWithShift(event.nativeEvent))}
      />
    </label>
  );
}

const isWithShift = (event: Event): boolean => "shiftKey" in event && event.shiftKey === true;

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
