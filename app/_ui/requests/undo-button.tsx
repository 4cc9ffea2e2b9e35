"use client";

import { cancelRequest } from "@/app/_ui/actions";
import { TimeLeft, useNow } from "@/app/_ui/clock";
import { useDo } from "@/app/_ui/do-button";
import { useKey } from "@/app/_ui/keys";

/** Takes an approval back for as long as its undo window is open, also on `u`. */
export function UndoButton({ requestId, until }: { requestId: string; until: Date }) {
  const isOpen = until.getTime() > useNow();
  const { press, isBusy } = useDo({
    run: () => cancelRequest(requestId),
    done: "Cancelled. Nothing was sent.",
    failed: "Not cancelled",
  });
  useKey("u", "Undo", press, isOpen);
  if (!isOpen) return null;
  return (
    <button type="button" className="btn btn-stop" aria-disabled={isBusy} onClick={press}>
      <span>
        Undo, <TimeLeft until={until} />
      </span>
      <kbd className="key" aria-hidden>
        u
      </kbd>
    </button>
  );
}
