"use client";

import { ChevronRight } from "lucide-react";
import { At } from "@/app/_ui/clock";
import { ApprovalStatusPill } from "@/app/_ui/pill";
import { UndoButton } from "@/app/_ui/requests/undo-button";
import { SafeText } from "@/app/_ui/safe-text";
import type { DecisionProps } from "./decision-bar";
import { ApprovalLink } from "./moving";

/** In the place of the buttons, at their height: what was decided, or why this person cannot decide. */
export function Decided({ status, decided, whyNot, next, requestId, undoUntil }: DecisionProps) {
  // An approval that was taken back has a decision and another status.
  const isToldBelow = status === "pending" || (decided && (status === "approved" || status === "rejected"));
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2">
      {isToldBelow ? null : <ApprovalStatusPill status={status} />}
      {decided ? (
        <span>
          {decided.decision === "approve" ? "Approved" : "Rejected"} by <SafeText text={decided.name} oneLine />,{" "}
          <At time={decided.at} />
        </span>
      ) : null}
      {status === "pending" ? <span className="text-text2">{whyNot ?? "You cannot decide this one."}</span> : null}
      {undoUntil ? <UndoButton requestId={requestId} until={undoUntil} /> : null}
      {next === undefined ? null : (
        <ApprovalLink className="btn ml-auto" id={next}>
          Next waiting
          <ChevronRight size={16} strokeWidth={1.75} aria-hidden />
        </ApprovalLink>
      )}
    </div>
  );
}
