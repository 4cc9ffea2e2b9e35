import {
  Ban,
  CircleCheck,
  CircleHelp,
  CircleX,
  Clock3,
  Hourglass,
  type LucideIcon,
  Play,
  TimerOff,
  TriangleAlert,
  Undo2,
} from "lucide-react";
import type { ReactNode } from "react";
import type { Risk } from "@/server/domain/action";
import type { RequestStatus } from "@/server/domain/tool-request";
import type { ApprovalStatus } from "./types";

export type Tone = "plain" | "quiet" | "ok" | "wait" | "unknown" | "stop" | "info" | "taint";

/** A word, with an icon where it carries a state: never colour alone. */
export function Pill({ tone, icon: Icon, children }: { tone: Tone; icon?: LucideIcon; children: ReactNode }) {
  return (
    <span className={`pill pill-${tone}`}>
      {Icon ? <Icon size={12} strokeWidth={2} aria-hidden /> : null}
      {children}
    </span>
  );
}

const RISK_TONES = { low: "plain", medium: "wait", high: "stop" } as const satisfies Record<Risk, Tone>;

export function RiskPill({ risk, long = false }: { risk: Risk; long?: boolean }) {
  return (
    <Pill tone={RISK_TONES[risk]} {...(risk === "high" ? { icon: TriangleAlert } : {})}>
      {risk}
      {long ? " risk" : <span className="sr-only"> risk</span>}
    </Pill>
  );
}

type Look = { tone: Tone; icon: LucideIcon; text: string };

const REQUEST_LOOKS = {
  denied: { tone: "stop", icon: Ban, text: "denied" },
  pending: { tone: "wait", icon: Clock3, text: "waits for a person" },
  ready: { tone: "info", icon: Play, text: "ready" },
  scheduled: { tone: "info", icon: Hourglass, text: "scheduled" },
  executing: { tone: "info", icon: Play, text: "running" },
  succeeded: { tone: "ok", icon: CircleCheck, text: "succeeded" },
  failed: { tone: "stop", icon: CircleX, text: "failed" },
  outcome_unknown: { tone: "unknown", icon: CircleHelp, text: "outcome unknown" },
  rejected: { tone: "stop", icon: CircleX, text: "rejected" },
  expired: { tone: "quiet", icon: TimerOff, text: "expired" },
  withdrawn: { tone: "quiet", icon: Undo2, text: "withdrawn" },
  cancelled: { tone: "quiet", icon: Undo2, text: "cancelled" },
} as const satisfies Record<RequestStatus, Look>;

const APPROVAL_LOOKS = {
  pending: { tone: "wait", icon: Clock3, text: "waits" },
  approved: { tone: "ok", icon: CircleCheck, text: "approved" },
  rejected: REQUEST_LOOKS.rejected,
  expired: REQUEST_LOOKS.expired,
  withdrawn: REQUEST_LOOKS.withdrawn,
  voided: { tone: "quiet", icon: Ban, text: "no longer counts" },
} as const satisfies Record<ApprovalStatus, Look>;

/** A status in the same words wherever it stands. */
export const requestStatusText = (status: RequestStatus): string => REQUEST_LOOKS[status].text;

export function RequestStatusPill({ status }: { status: RequestStatus }) {
  const { tone, icon, text } = REQUEST_LOOKS[status];
  return (
    <Pill tone={tone} icon={icon}>
      {text}
    </Pill>
  );
}

export function ApprovalStatusPill({ status }: { status: ApprovalStatus }) {
  const { tone, icon, text } = APPROVAL_LOOKS[status];
  return (
    <Pill tone={tone} icon={icon}>
      {text}
    </Pill>
  );
}
