"use client";

import { useRouter } from "next/navigation";
import { cancelRequest } from "@/app/_ui/actions";
import { TimeLeft, useNow } from "@/app/_ui/clock";
import { DoButton } from "@/app/_ui/do-button";
import { useKey } from "@/app/_ui/keys";
import { useNote } from "@/app/_ui/toasts";

const DONE = "Cancelled. Nothing was sent.";

/** Takes an approval back for as long as its undo window is open, also on `u`. */
export function UndoButton({ requestId, until }: { requestId: string; until: Date }) {
  const router = useRouter();
  const note = useNote();
  const isOpen = until.getTime() > useNow();
  const run = () => cancelRequest(requestId);
  const onKey = async () => {
    const outcome = await run();
    note(outcome.ok ? { title: DONE } : { title: "Not cancelled", text: outcome.message });
    router.refresh();
  };
  useKey("u", "Undo", () => void onKey(), isOpen);
  if (!isOpen) return null;
  return (
    <DoButton run={run} done={DONE} className="btn btn-stop">
      <span>
        Undo, <TimeLeft until={until} />
      </span>
      <kbd className="key" aria-hidden>
        u
      </kbd>
    </DoButton>
  );
}
