"use client";

import { At } from "@/app/_ui/clock";
import { ApprovalStatusPill } from "@/app/_ui/pill";
import { SafeText } from "@/app/_ui/safe-text";
import type { DecisionProps } from "./decision-bar";

/** In the place of the buttons, at their height: what was decided, or why this person cannot decide. */
export function Decided({ status, decided, whyNot }: DecisionProps) {
  return (
    <p className="flex min-h-11 flex-wrap items-center gap-x-3" aria-live="polite">
      {status === "pending" ? null : <ApprovalStatusPill status={status} />}
      {decided ? (
        <span>
          {decided.decision === "approve" ? "Approved" : "Rejected"} by <SafeText text={decided.name} oneLine />,{" "}
          <At time={decided.at} />
        </span>
      ) : null}
      {status === "pending" ? <span className="text-text2">{whyNot ?? "You cannot decide this one."}</span> : null}
    </p>
  );
}
