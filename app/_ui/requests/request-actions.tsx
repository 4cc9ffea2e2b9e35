"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { cancelRequest, resolveRequest } from "@/app/_ui/actions";
import { TimeLeft } from "@/app/_ui/clock";
import { DoButton } from "@/app/_ui/do-button";
import { useKey } from "@/app/_ui/keys";
import { ReasonDialog } from "@/app/_ui/reason-dialog";
import { useNote } from "@/app/_ui/toasts";
import type { RequestStatus } from "@/server/domain/tool-request";

type Props = {
  id: string;
  status: RequestStatus;
  may: { cancel: boolean; resolve: boolean };
  runsAt?: Date;
  approvalId?: string;
};

/** What can still be done about a request. */
export function RequestActions({ id, status, may, runsAt, approvalId }: Props) {
  return (
    <div className="flex flex-wrap gap-3">
      {approvalId ? (
        <Link className="btn btn-ink" href={`/approvals/${approvalId}` as never} prefetch={false}>
          Open the approval
        </Link>
      ) : null}
      {may.cancel && status === "scheduled" && runsAt ? <Undo id={id} runsAt={runsAt} /> : null}
      {may.cancel && status === "pending" ? (
        <DoButton run={() => cancelRequest(id)} done="Withdrawn. Nothing ran.">
          Withdraw request
        </DoButton>
      ) : null}
      {may.resolve && status === "outcome_unknown" ? <Resolve id={id} /> : null}
    </div>
  );
}

function Undo({ id, runsAt }: { id: string; runsAt: Date }) {
  const router = useRouter();
  const note = useNote();
  const run = () => cancelRequest(id);
  useKey("u", "Undo", async () => {
    const outcome = await run();
    note(outcome.ok ? { title: "Cancelled. Nothing was sent." } : { title: "Not cancelled", text: outcome.message });
    router.refresh();
  });
  return (
    <DoButton run={run} done="Cancelled. Nothing was sent." className="btn btn-stop">
      Undo, <TimeLeft until={runsAt} />
    </DoButton>
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
