"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import type { Outcome } from "./outcome";
import { useNote } from "./toasts";

type Props = { run: () => Promise<Outcome>; done: string; children: ReactNode; className?: string };

/** One press, one action that can be taken back: no question first, what came of it after. */
export function DoButton({ run, done, children, className = "btn" }: Props) {
  const router = useRouter();
  const note = useNote();
  const [busy, setBusy] = useState(false);
  const press = async () => {
    if (busy) return;
    setBusy(true);
    const outcome = await run();
    setBusy(false);
    note(outcome.ok ? { title: done } : { title: "Not done", text: outcome.message });
    router.refresh();
  };
  return (
    <button type="button" className={className} aria-disabled={busy} onClick={() => void press()}>
      {children}
    </button>
  );
}
