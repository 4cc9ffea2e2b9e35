"use client";

import { type ReactNode, useId } from "react";
import { useMarkAllRead, useReadPart, useSeen } from "./read-gate";

/** A part of the call that has to be on screen, from its first line to its last, before it can be approved. */
export function ReadPart({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  const id = useId();
  const { markRead, target } = useReadPart(id, label);
  const { start, end } = useSeen(markRead);
  return (
    <div ref={target} tabIndex={-1} className={`relative scroll-mt-16 outline-offset-4 ${className ?? ""}`}>
      <span ref={start} className="absolute top-0 left-0 size-px" aria-hidden />
      {children}
      <span ref={end} className="absolute bottom-0 left-0 size-px" aria-hidden />
    </div>
  );
}

/** The whole call in another form: whoever saw it to the end has read every part. */
export function ReadWhole({ children }: { children: ReactNode }) {
  const { start, end } = useSeen(useMarkAllRead());
  return (
    <div className="relative">
      <span ref={start} className="absolute top-0 left-0 size-px" aria-hidden />
      {children}
      <span ref={end} className="absolute bottom-0 left-0 size-px" aria-hidden />
    </div>
  );
}
