"use client";

import { useEffect } from "react";
import { noteOpening } from "@/app/_ui/actions";

/**
 * Notes that the reader has it before them, once the page is in sight: a page fetched ahead was not read. Where the note
 * is lost the approval counts as never opened, and pressing works as ever.
 */
export function NoteOpening({ id }: { id: string }) {
  useEffect(() => {
    const note = () => {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", note);
      void noteOpening(id);
    };
    document.addEventListener("visibilitychange", note);
    note();
    return () => document.removeEventListener("visibilitychange", note);
  }, [id]);
  return null;
}
