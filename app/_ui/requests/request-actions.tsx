"use client";

import Link from "next/link";
import { cancelRequest, resolveRequest } from "@/app/_ui/actions";
import { DoButton } from "@/app/_ui/do-button";
import { ReasonDialog } from "@/app/_ui/reason-dialog";
import type { RequestStatus } from "@/server/domain/tool-request";
import { TakeUp } from "./take-up";
import { UndoButton } from "./undo-button";

type Props = {
  id: string;
  status: RequestStatus;
  may: { cancel: boolean; resolve: boolean; takeUp: boolean };
  runsAt?: Date;
  approvalId?: string;
};

/** What can still be done about a request. */
export function RequestActions({ id, status, may, runsAt, approvalId }: Props) {
  return (
    <div className="flex flex-wrap gap-3">
      {approvalId ? (
        <Link className="btn btn-ink" href={`/approvals/${approvalId}`} prefetch={false}>
          Open the approval
        </Link>
      ) : null}
      {may.cancel && status === "scheduled" && runsAt ? <UndoButton requestId={id} until={runsAt} /> : null}
      {may.cancel && status === "pending" ? (
        <DoButton run={() => cancelRequest(id)} done="Withdrawn. Nothing ran.">
          Withdraw request
        </DoButton>
      ) : null}
      {may.takeUp ? <TakeUp id={id} /> : null}
      {may.resolve && status === "outcome_unknown" ? <Resolve id={id} /> : null}
    </div>
  );
}

function Resolve({ id }: { id: string }) {
  const reason = { label: "What you saw", required: true, hint: "It goes into the record with your name." };
  const keep = "Leave open";
  return (
    <>
      <ReasonDialog
        trigger={
          <button type="button" className="btn">
            Mark done
          </button>
        }
        title="Mark this as done?"
        reason={reason}
        confirm="Mark done"
        keep={keep}
        onConfirm={(text) => resolveRequest({ id, outcome: "done", reason: text })}
      >
        <p>The effect happened: you saw it at the other end. The agent gets the status succeeded.</p>
      </ReasonDialog>
      <ReasonDialog
        trigger={
          <button type="button" className="btn">
            Mark not done
          </button>
        }
        title="Mark this as not done?"
        reason={reason}
        confirm="Mark not done"
        keep={keep}
        onConfirm={(text) => resolveRequest({ id, outcome: "not_done", reason: text })}
      >
        <p>The effect did not happen. The agent gets the status failed and may ask again.</p>
      </ReasonDialog>
    </>
  );
}
