import { z } from "zod";
import { RETURN_TEXTS, type ReturnCode } from "@/server/domain/approval-reasons";
import type { RequestStatus } from "@/server/domain/tool-request";
import { CHECK_NAMES, type CheckName, DENIALS, type DenyCode } from "@/server/domain/verdict";

/** Every way a request can stand, in words for its agent, for who asked and for everybody else: one table. */
export const STANDINGS = {
  refused: "Refused. Nothing ran.",
  proposed: "Recorded as a proposal. Nothing runs unless a person takes it up.",
  taken_up: "Recorded as a proposal, and taken up as a request of its own.",
  waiting: "Waits for a person.",
  asked_again: "It is asked again as it stands now. Nothing ran.",
  held: "A stop holds it. Nothing runs, and it is decided again once the stop is lifted.",
  blocked: "A check refuses it at the moment. Nothing ran.",
  allowed: "Allowed. It is about to run.",
  approved: "Approved. It is about to run.",
  in_window: "It runs when its undo window is over, and can be cancelled until then.",
  running: "It is running.",
  succeeded: "It ran.",
  made_good: "It ran, and a later request made good for it.",
  failed: "It failed. Nothing happened outside.",
  unknown: "Nobody knows whether it happened. A person has to look.",
  marked_not_done: "A person looked: it did not happen.",
  marked_done: "A person looked: it happened.",
  rejected: "Rejected. Nothing runs.",
  expired: "Expired: nobody decided in time. Nothing runs.",
  withdrawn: "Withdrawn. Nothing runs.",
  cancelled: "Cancelled before it ran. Nothing runs.",
} as const;
export type StandingCode = keyof typeof STANDINGS;

const BY_KINDS = ["person", "agent", "check", "control", "nobody", "system"] as const;

/** Who or what made it so. A person and an agent by name, anything else in words of ours. */
export const bySchema = z.strictObject({ kind: z.enum(BY_KINDS), name: z.string() });
export type By = z.infer<typeof bySchema>;

/** Where a request stands, by whom, and why. */
export const standingSchema = z.strictObject({
  code: z.enum(Object.keys(STANDINGS) as [StandingCode, ...StandingCode[]]),
  text: z.string(),
  by: z.array(bySchema).describe("Who or what made it so; everybody who approved it, where people did."),
  why: z.string().nullable().describe("In the words of the check, or of the person. Null where none was given."),
});
export type Standing = z.infer<typeof standingSchema>;

/** Those whose `why` is what a person or the other side wrote: for who may see content. */
export const WHY_IS_CONTENT: ReadonlySet<StandingCode> = new Set([
  "rejected",
  "failed",
  "unknown",
  "marked_not_done",
  "marked_done",
]);

/** What is known of a request when its standing is told. */
export type StandingFacts = {
  readonly status: RequestStatus;
  readonly agentName: string;
  readonly isProposal: boolean;
  readonly deniedCheck: string | null;
  readonly deniedCode: string | null;
  readonly blockedCheck: string | null;
  readonly blockedCode: string | null;
  readonly isHeld: boolean;
  /** Why it was asked again, where it was. */
  readonly returnedWhy: string | null;
  /** Who approved or rejected it. */
  readonly decidedBy: readonly string[];
  readonly editedBy: string | null;
  readonly takenUpBy: string | null;
  /** Who withdrew, cancelled or resolved it, as the log has it. */
  readonly endedBy: By | null;
  readonly isResolved: boolean;
  readonly isMadeGood: boolean;
  /** What a person, or the other side, said of it. */
  readonly words: string | null;
};

const CHECKS: Readonly<Record<CheckName, By>> = {
  controls: { kind: "control", name: "a control" },
  grant: { kind: "check", name: "the agent's grant" },
  validation: { kind: "check", name: "the checks of the call" },
  secret_scan: { kind: "check", name: "the secret scan" },
  approval_reasons: { kind: "check", name: "the organization's rules" },
  reservation: { kind: "check", name: "a budget or limit" },
};
const COUNTERSIGN: By = { kind: "system", name: "Countersign" };
const NOBODY: By = { kind: "nobody", name: "nobody in time" };

const person = (name: string): By => ({ kind: "person", name });
const checkOf = (check: string | null): By =>
  CHECKS[CHECK_NAMES.find((name) => name === check) ?? "controls"] ?? COUNTERSIGN;
const denial = (code: string | null): string | null =>
  code !== null && Object.hasOwn(DENIALS, code) ? DENIALS[code as DenyCode] : null;
const returned = (code: string | null): string | null =>
  code !== null && Object.hasOwn(RETURN_TEXTS, code) ? RETURN_TEXTS[code as ReturnCode] : null;

const stands = (code: StandingCode, by: readonly By[], why: string | null = null): Standing => ({
  code,
  text: STANDINGS[code],
  by: [...by],
  why,
});

/** Says where a request stands. One answer for each status there is: a new one needs its words. */
export function standingOf(facts: StandingFacts): Standing {
  const people = facts.decidedBy.map(person);
  const decided = people.length > 0 ? people : [{ kind: "check", name: "the checks" } as const];
  const ended = [facts.endedBy ?? COUNTERSIGN];
  switch (facts.status) {
    case "denied":
      return deniedStanding(facts);
    case "pending":
      return pendingStanding(facts);
    case "ready":
      return stands(people.length > 0 ? "approved" : "allowed", decided);
    case "scheduled":
      return stands("in_window", decided);
    case "executing":
      return stands("running", decided);
    case "succeeded":
      if (facts.isMadeGood) return stands("made_good", [{ kind: "agent", name: facts.agentName }]);
      return facts.isResolved ? stands("marked_done", ended, facts.words) : stands("succeeded", decided);
    case "failed":
      return facts.isResolved
        ? stands("marked_not_done", ended, facts.words)
        : stands("failed", [COUNTERSIGN], facts.words);
    case "outcome_unknown":
      return stands("unknown", [COUNTERSIGN], facts.words);
    case "rejected":
      return stands("rejected", people, facts.words);
    case "expired":
      return stands("expired", [NOBODY]);
    case "withdrawn":
      return stands("withdrawn", ended);
    case "cancelled":
      return stands("cancelled", ended);
  }
}

function deniedStanding({ isProposal, takenUpBy, deniedCheck, deniedCode }: StandingFacts): Standing {
  if (takenUpBy !== null) return stands("taken_up", [person(takenUpBy)]);
  return stands(isProposal ? "proposed" : "refused", [checkOf(deniedCheck)], denial(deniedCode));
}

function pendingStanding(facts: StandingFacts): Standing {
  const { isHeld, returnedWhy, blockedCode, blockedCheck, editedBy } = facts;
  if (isHeld) return stands("held", [CHECKS.controls], returned(returnedWhy));
  if (blockedCode !== null) return stands("blocked", [checkOf(blockedCheck)], denial(blockedCode));
  if (returnedWhy === null) return stands("waiting", []);
  const by = returnedWhy === "edited" && editedBy !== null ? person(editedBy) : COUNTERSIGN;
  return stands("asked_again", [by], returned(returnedWhy));
}
