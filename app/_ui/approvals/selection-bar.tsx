"use client";

import { Check, X } from "lucide-react";
import { useState } from "react";
import { plural } from "@/app/_lib/format";
import { decideMany } from "@/app/_ui/actions";
import { useKey } from "@/app/_ui/keys";
import { useOnePress } from "@/app/_ui/one-press";
import type { Outcome } from "@/app/_ui/outcome";
import { ReasonDialog } from "@/app/_ui/reason-dialog";
import { SafeText } from "@/app/_ui/safe-text";
import type { ListEntry } from "./approval-list";

type Decision = "approve" | "reject";
type Picked = readonly { entry: ListEntry; digest: string }[];

/** What became of one of those that were selected. */
export type RowResult = { id: string; title: string; ok: boolean; text: string };

type Props = { picked: Picked; note: string; clear: () => void; onResults: (results: RowResult[]) => void };

const DONE = { approve: "Approved", reject: "Rejected" } as const;

/** In reach while something is selected: how many, and the same two answers for all of it, under one reason. */
export function SelectionBar({ picked, note, clear, onResults }: Props) {
  const [asking, setAsking] = useState<Decision>();
  const { press, isBusy } = useOnePress();
  const hasSome = picked.length > 0;
  const ask = (decision: Decision) => {
    if (!isBusy) setAsking(decision);
  };
  useKey("A", "Approve what is selected", () => ask("approve"), hasSome);
  useKey("R", "Reject what is selected", () => ask("reject"), hasSome);
  useKey("Escape", "Clear the selection", clear, hasSome);
  const decide = async (decision: Decision, reason: string): Promise<Outcome> => {
    let outcome: Outcome = { ok: false, code: "under_way", message: "A decision is under way." };
    await press(async () => {
      const items = picked.map(({ entry, digest }) => ({ id: entry.id, digest }));
      const answer = await decideMany({ decision, items, ...(reason ? { reason } : {}) });
      outcome = answer;
      if (!answer.ok) return;
      onResults(answer.value.results.map((result) => toRow(result, picked, decision)));
      clear();
    });
    return outcome;
  };
  return (
    <>
      <p role="status" className="px-4 py-1 text-sm text-text2 empty:hidden">
        {note}
      </p>
      {hasSome ? (
        <section
          aria-label="Selected"
          className="sticky bottom-0 z-20 flex flex-wrap items-center gap-2 border-t border-line bg-surface px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] short:static"
        >
          <span className="mr-auto font-semibold" aria-live="polite">
            {picked.length} selected
          </span>
          <button type="button" className="btn btn-quiet" onClick={clear}>
            Clear
          </button>
          <button type="button" className="btn btn-stop" onClick={() => ask("reject")} aria-disabled={isBusy}>
            <X size={16} strokeWidth={1.75} aria-hidden />
            Reject
          </button>
          <button type="button" className="btn btn-ink" onClick={() => ask("approve")} aria-disabled={isBusy}>
            <Check size={16} strokeWidth={1.75} aria-hidden />
            Approve
          </button>
        </section>
      ) : null}
      <ManyDialog asking={asking} close={() => setAsking(undefined)} picked={picked} decide={decide} />
    </>
  );
}

type Result = { ok: true; id: string; remaining: number } | { ok: false; id: string; message: string };

function toRow(result: Result, picked: Picked, decision: Decision): RowResult {
  const title = picked.find(({ entry }) => entry.id === result.id)?.entry.title ?? result.id;
  if (!result.ok) return { id: result.id, title, ok: false, text: result.message };
  const more = result.remaining > 0 ? `, ${plural(result.remaining, "more person", "more people")} needed` : "";
  return { id: result.id, title, ok: true, text: `${DONE[decision]}${more}` };
}

type DialogProps = {
  asking: Decision | undefined;
  close: () => void;
  picked: Picked;
  decide: (decision: Decision, reason: string) => Promise<Outcome>;
};

function ManyDialog({ asking, close, picked, decide }: DialogProps) {
  const decision = asking ?? "approve";
  const count = plural(picked.length, "request");
  const verb = decision === "approve" ? "Approve" : "Reject";
  return (
    <ReasonDialog
      open={asking !== undefined}
      onOpenChange={(open) => (open ? undefined : close())}
      title={`${verb} ${count}?`}
      reason={{ label: "One reason for all, shown to the agents and their owners", required: false }}
      confirm={`${verb} ${count}`}
      keep="Go back"
      tone={decision === "approve" ? "ink" : "stop"}
      onConfirm={(reason) => decide(decision, reason)}
    >
      <p>Each is decided by itself, exactly as it was shown. What has changed since is left alone and told to you.</p>
      <ul className="max-h-48 list-disc overflow-auto pl-5" aria-label="Selected requests">
        {picked.map(({ entry }) => (
          <li key={entry.id} className="wrap-anywhere">
            <SafeText text={entry.title} oneLine /> <SafeText text={entry.target} oneLine mono />
          </li>
        ))}
      </ul>
    </ReasonDialog>
  );
}

/** What came of the last decision on many, row by row, until it is put away. */
export function Results({ results, clear }: { results: readonly RowResult[]; clear: () => void }) {
  return (
    <div role="status" aria-label="What was decided">
      {results.length === 0 ? null : (
        <div className="grid gap-1 border-b border-line bg-sunken px-4 py-2 text-sm">
          <p className="flex items-center gap-2 font-semibold">
            {results.filter(({ ok }) => ok).length} of {results.length} decided
            <button type="button" className="btn btn-quiet ml-auto" onClick={clear}>
              Put away
            </button>
          </p>
          <ul className="grid max-h-60 gap-1 overflow-auto">
            {results.map((result) => (
              <li key={result.id} className={result.ok ? "text-text2" : "text-stop"}>
                <SafeText text={result.title} oneLine />: {result.text}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
