"use client";

import { useEffect, useRef } from "react";
import type { Place } from "@/app/_ui/outcome";

/** Says where the fault is, and puts the cursor there. */
export function FaultPlace({ place }: { place: Place }) {
  const own = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const field = own.current?.closest("form")?.elements.namedItem("condition");
    if (!(field instanceof HTMLTextAreaElement)) return;
    const at = offsetOf(field.value, place);
    field.focus();
    field.setSelectionRange(at, at + wordAt(field.value, at));
  }, [place]);
  return (
    <p ref={own} className="text-sm text-stop">
      Line {place.line}, column {place.column}
    </p>
  );
}

function offsetOf(text: string, { line, column }: Place): number {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
}

function wordAt(text: string, at: number): number {
  return /^[\w.]*/.exec(text.slice(at))?.[0].length ?? 0;
}
