"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { takeUpProposal } from "@/app/_ui/actions";
import { useKey } from "@/app/_ui/keys";
import { ReasonDialog } from "@/app/_ui/reason-dialog";

/** Takes up a proposal, on `t` too, and goes on to the request that comes of it. */
export function TakeUp({ id }: { id: string }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  useKey("t", "Take up the proposal", () => setOpen(true));
  const takeUp = async () => {
    const outcome = await takeUpProposal(id);
    if (outcome.ok) router.push(`/requests/${outcome.value.id}`);
    return outcome;
  };
  return (
    <>
      <button type="button" className="btn btn-ink" onClick={() => setOpen(true)}>
        Take up
        <kbd className="key" aria-hidden>
          t
        </kbd>
      </button>
      <ReasonDialog
        open={open}
        onOpenChange={setOpen}
        title="Take up this proposal?"
        confirm="Take up"
        keep="Leave it"
        onConfirm={takeUp}
      >
        <p>
          The call becomes a request of this agent, exactly as it stands here. Every check judges it anew, and somebody
          else has to approve it: you count as having asked.
        </p>
      </ReasonDialog>
    </>
  );
}
