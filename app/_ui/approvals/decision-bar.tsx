"use client";

import { Check, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { SignatureLine } from "@/app/_ui/bits";
import { useKey } from "@/app/_ui/keys";
import type { Outcome } from "@/app/_ui/outcome";
import { useUnread } from "@/app/_ui/read-gate";
import { ReasonDialog } from "@/app/_ui/reason-dialog";
import type { ApprovalStatus, Given } from "@/app/_ui/types";
import type { Risk } from "@/server/domain/action";
import { Decided } from "./decided";
import { ProofDialog } from "./proof-dialog";
import { useSettled } from "./settled";
import { useDecision } from "./use-decision";

export type DecisionProps = {
  id: string;
  requestId: string;
  digest: string;
  risk: Risk;
  status: ApprovalStatus;
  given: readonly Given[];
  agentName: string;
  act: string;
  noun: string;
  forYou: boolean;
  whyNot: string | undefined;
  decided: Given | undefined;
  undoUntil: Date | undefined;
  /** The next one that waits for this person. */
  next: string | undefined;
};

/** Always in reach: the signature line and two equal buttons. */
export function DecisionBar(props: DecisionProps) {
  const isOpen = props.status === "pending";
  return (
    <section
      aria-label="Decision"
      className="sticky bottom-0 z-20 grid gap-2 border-t border-line bg-surface px-4 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))] short:static lg:px-8"
    >
      <SignatureLine asked={props.agentName} given={props.given} open={isOpen} you={props.forYou} />
      {/* Here all along, so that a screen reader hears the change. */}
      <p className="sr-only" aria-live="polite">
        {props.decided
          ? `${props.decided.decision === "approve" ? "Approved" : "Rejected"} by ${props.decided.name}`
          : ""}
      </p>
      <div className="min-h-11">{isOpen && props.forYou ? <Buttons {...props} /> : <Decided {...props} />}</div>
    </section>
  );
}

function Buttons(props: DecisionProps) {
  const [isRejecting, setRejecting] = useState(false);
  const [isProving, setProving] = useState(false);
  const [problem, setProblem] = useState("");
  const unread = useUnread();
  const isSettled = useSettled(`${props.digest} ${unread.count > 0}`);
  const { decide, mayDecide, isBusy } = useDecision(props);
  const approve = async () => {
    setProblem("");
    if (props.risk === "high") return setProving(true);
    const outcome = await decide({ decision: "approve" });
    if (outcome.ok) return;
    if (outcome.code === "proof_required") setProving(true);
    else setProblem(`Not approved: ${outcome.message}`);
  };
  const onApprove = () => {
    if (unread.count > 0) unread.goToFirst();
    else if (isSettled() && mayDecide()) void approve();
  };
  const onReject = () => {
    if (!isSettled() || !mayDecide()) return;
    setProblem("");
    setRejecting(true);
  };
  useKey("a", unread.count > 0 ? "Go to what was not read" : "Approve", onApprove);
  useKey("r", "Reject", onReject);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only passes over the repeats of a key held down. */}
      <div className="grid grid-cols-2 gap-3 sm:max-w-md" onKeyDown={dropRepeat}>
        <button type="button" className="btn btn-stop" onClick={onReject} aria-disabled={isBusy}>
          <X size={16} strokeWidth={1.75} aria-hidden />
          <span>
            Reject<span className="sr-only"> {props.noun}</span>
          </span>
          <Key name="r" />
        </button>
        <ApproveButton {...props} unread={unread.count} isBusy={isBusy} onApprove={onApprove} />
      </div>
      <p role="alert" className="mt-2 text-sm text-stop empty:hidden">
        {problem}
      </p>
      <ProofDialog
        open={isProving}
        onOpenChange={setProving}
        act={props.act}
        approve={(password) => decide({ decision: "approve", password })}
      />
      <RejectDialog
        {...props}
        open={isRejecting}
        onOpenChange={setRejecting}
        reject={(reason) => decide({ decision: "reject", ...(reason ? { reason } : {}) })}
      />
    </>
  );
}

/** Enter held down on a button presses it again and again. */
function dropRepeat(event: KeyboardEvent): void {
  if (event.repeat && event.key === "Enter") event.preventDefault();
}

type ApproveProps = DecisionProps & { unread: number; isBusy: boolean; onApprove: () => void };

function ApproveButton({ act: verb, unread, isBusy, onApprove }: ApproveProps) {
  if (unread > 0) {
    return (
      <button type="button" className="btn px-2" onClick={onApprove}>
        Read {unread} more {unread === 1 ? "part" : "parts"}
        <Key name="a" />
      </button>
    );
  }
  return (
    <button type="button" className="btn btn-ink" onClick={onApprove} aria-disabled={isBusy}>
      <Check size={16} strokeWidth={1.75} aria-hidden />
      <span>
        Approve<span className="sr-only"> and {verb}</span>
      </span>
      <Key name="a" />
    </button>
  );
}

function Key({ name }: { name: string }) {
  return (
    <kbd className="key" aria-hidden>
      {name}
    </kbd>
  );
}

type RejectProps = DecisionProps & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  reject: (reason: string) => Promise<Outcome>;
};

function RejectDialog({ noun, open, onOpenChange, reject }: RejectProps) {
  return (
    <ReasonDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Reject this ${noun}?`}
      reason={{ label: "Reason, shown to the agent and its owner", required: false }}
      confirm={`Reject ${noun}`}
      keep="Keep waiting"
      tone="stop"
      onConfirm={reject}
    >
      <p>It will not run. One rejection is final; the agent is told at once and may ask anew.</p>
    </ReasonDialog>
  );
}
