import {
  type ApprovalReason,
  judgeReasons,
  mergeRequirements,
  type ReasonInput,
  type Requirement,
  ruleReasons,
} from "@/server/domain/approval-reasons";
import type { RuleMatch } from "@/server/domain/rule";

export const REPLAY_VERDICTS = ["allow", "approval", "deny"] as const;
export type ReplayVerdict = (typeof REPLAY_VERDICTS)[number];

/** What a request got when it was asked, as far as rules could change it. */
export type Past =
  /** Another check refused it: whatever the rules, it is denied. */
  | { readonly kind: "refused" }
  /** A rule forbade it. What else would have asked was not looked at then, so it is judged from the request. */
  | { readonly kind: "forbidden"; readonly input: Omit<ReasonInput, "ruleMatches"> }
  /** It ran by itself, or a person was asked for these reasons. */
  | { readonly kind: "passed"; readonly asked: readonly ApprovalReason[] };

export type Replayed = { readonly verdict: ReplayVerdict; readonly needs: Requirement | null };

/** What it got. */
export function pastVerdict(past: Past): Replayed {
  if (past.kind !== "passed") return { verdict: "deny", needs: null };
  return askedFor(past.asked);
}

/** What it would get if these were the rules that apply to it: everything but the rules stays as it was. */
export function replay(past: Past, matches: readonly RuleMatch[]): Replayed {
  if (past.kind === "refused" || matches.some(isDenial)) return { verdict: "deny", needs: null };
  if (past.kind === "passed") {
    const others = past.asked.filter(({ kind }) => kind !== "rule");
    return askedFor([...others, ...ruleReasons(matches)]);
  }
  const judged = judgeReasons({ ...past.input, ruleMatches: matches });
  return judged.kind === "deny" ? { verdict: "deny", needs: null } : askedFor(judged.reasons);
}

const isDenial = ({ rule, outcome }: RuleMatch): boolean =>
  outcome === "failed" || (outcome === "matched" && rule.verdict === "deny");

function askedFor(reasons: readonly ApprovalReason[]): Replayed {
  if (reasons.length === 0) return { verdict: "allow", needs: null };
  return { verdict: "approval", needs: mergeRequirements(reasons) };
}

/** Whether somebody would notice: another verdict, or other people to be asked. */
export const isChanged = (was: Replayed, would: Replayed): boolean =>
  was.verdict !== would.verdict || was.needs?.people !== would.needs?.people || was.needs?.role !== would.needs?.role;
