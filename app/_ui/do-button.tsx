"use client";

import type { ReactNode } from "react";
import { useOnePress } from "./one-press";
import type { Outcome } from "./outcome";
import { useNote } from "./toasts";

type Work = { run: () => Promise<Outcome>; done: string; failed?: string };

/** Runs what can be taken back and says what came of it. */
export function useDo({ run, done, failed = "Not done" }: Work): { press: () => void; isBusy: boolean } {
  const note = useNote();
  const { press, isBusy } = useOnePress();
  const work = async () => {
    const outcome = await run();
    note(outcome.ok ? { title: done } : { title: failed, text: outcome.message });
  };
  return { press: () => void press(work), isBusy };
}

type Props = Work & { children: ReactNode; className?: string };

/** One press, one action that can be taken back: no question first, what came of it after. */
export function DoButton({ children, className = "btn", ...work }: Props) {
  const { press, isBusy } = useDo(work);
  return (
    <button type="button" className={className} aria-disabled={isBusy} onClick={press}>
      {children}
    </button>
  );
}
