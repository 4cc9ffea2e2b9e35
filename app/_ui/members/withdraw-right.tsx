"use client";

import { withdrawRight } from "@/app/_ui/actions";
import { ReasonDialog } from "@/app/_ui/reason-dialog";

export function WithdrawRight({ id, name }: { id: string; name: string }) {
  return (
    <ReasonDialog
      trigger={
        <button type="button" className="btn">
          Withdraw…<span className="sr-only"> the right of {name}</span>
        </button>
      }
      title="Withdraw the right to approve?"
      confirm="Withdraw"
      keep="Keep it"
      tone="stop"
      onConfirm={() => withdrawRight(id)}
    >
      <p>
        It ends at once. What they approved and has not run yet goes back to the queue. Given again, it covers only what
        is asked from then on.
      </p>
    </ReasonDialog>
  );
}
