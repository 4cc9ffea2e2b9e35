import { z } from "zod";
import type { Effect, Risk } from "@/server/domain/action";
import { AMOUNT_DOUBTS, type AmountDoubt } from "@/server/domain/amount-text";
import type { Autonomy, SessionLabel } from "@/server/domain/facts";
import { approverRoleSchema, satisfiesRole } from "@/server/domain/roles";
import type { Rule, RuleMatch } from "@/server/domain/rule";

const REASON_KINDS = ["floor", "mandatory", "session", "autonomy", "rule", "returned", "reading"] as const;

/** Reasons that no setting of an organization can take away, and those of the autonomy level, in words for people. */
const REASON_TEXTS = {
  high_risk: "The action is declared high risk.",
  code_execution: "It runs code.",
  mandatory_action: "The operator requires a person for this action.",
  unclean_irreversible: "It cannot be undone, and the session is not clean.",
  unclean_outward: "It sends data to a destination nobody marked as trusted, and the session is not clean.",
  unclean_sensitive: "The session read sensitive data and may have been steered by outside content.",
  each_effect: "This agent needs a person for every effect.",
  taken_up: "A person took this up from what the agent proposed, and somebody else has to agree.",
  irreversible: "It cannot be undone.",
  outward: "It sends data to a destination nobody marked as trusted.",
  new_target: "It reaches a target for the first time.",
} as const;

/** Why what was approved or allowed is asked again, in words for people. */
export const RETURN_TEXTS = {
  held_by_freeze: "A freeze stopped it after it was decided.",
  held_by_control: "A control stopped it after it was decided.",
  changed: "What was decided upon has changed: the connection, the grant or the action's definition.",
  stricter: "A stricter reason to ask came up after it was decided.",
  authority_lost: "Who approved it may no longer do so.",
  blocked: "A check refused it when it was about to run.",
  edited: "An approver edited it, so that what was decided before counts no more.",
  not_claimed: "It did not run in time after it was decided.",
} as const;
export type ReturnCode = keyof typeof RETURN_TEXTS;

/** A reason of its own for asking again; it asks for no more than an approver. */
export const returnReason = (code: ReturnCode): ApprovalReason => ({
  kind: "returned",
  code,
  text: RETURN_TEXTS[code],
  ruleId: null,
  requiredRole: "approver",
  people: 1,
  expiresMinutes: null,
});
type FixedCode = keyof typeof REASON_TEXTS;

/** Added where a rule asks for a second person after an answer that came too soon. */
export const TOO_QUICK: ApprovalReason = {
  kind: "reading",
  code: "too_quick",
  text: "It was approved faster than it can be read, and a rule asks for a second person then.",
  ruleId: null,
  requiredRole: "approver",
  people: 2,
  expiresMinutes: null,
};

/** Why a person is asked, and what an answer to that takes. Minutes: null sets no expiry of its own, zero is never. */
export const approvalReasonSchema = z.strictObject({
  kind: z.enum(REASON_KINDS),
  code: z.string().min(1).max(60),
  text: z.string().min(1).max(300),
  ruleId: z.string().max(60).nullable(),
  requiredRole: approverRoleSchema,
  people: z.union([z.literal(1), z.literal(2)]),
  expiresMinutes: z.int().min(0).nullable(),
  /** Two people where the first approved faster than it can be read. Absent where the rule does not ask for that. */
  secondIfQuick: z.literal(true).optional(),
});
export type ApprovalReason = z.infer<typeof approvalReasonSchema>;
export const approvalReasonsSchema = z.array(approvalReasonSchema).min(1).max(250);

export type ReasonInput = {
  readonly action: string;
  readonly effect: Effect;
  readonly risk: Risk;
  readonly irreversible: boolean;
  readonly outward: boolean;
  readonly executesCode: boolean;
  readonly autonomy: Autonomy;
  /** Whether a person takes up what an agent at `suggest` proposed. */
  readonly isTakenUp: boolean;
  readonly sessionLabels: readonly SessionLabel[];
  readonly newTargets: readonly string[];
  /** The operator's `APPROVAL_ACTIONS`. */
  readonly mandatoryActions: readonly string[];
  readonly ruleMatches: readonly RuleMatch[];
};

/** The strictest of what was found, with every reason for asking whatever the verdict is. */
export type ReasonVerdict = { readonly reasons: readonly ApprovalReason[] } & (
  | { readonly kind: "allow" }
  | { readonly kind: "approval" }
  | { readonly kind: "deny"; readonly code: "rule_denied" | "rule_failed"; readonly rule: Rule }
  | { readonly kind: "deny"; readonly code: "recorded_as_proposal" }
);

/**
 * Collects every reason and lets the strictest verdict stand: deny beats approval, approval beats allow. Rules add
 * and never take away, so whatever a rule set says, the floor's reasons are there.
 */
export function judgeReasons(input: ReasonInput): ReasonVerdict {
  const reasons = [...floorReasons(input), ...autonomyReasons(input), ...ruleReasons(input.ruleMatches)];
  const failed = input.ruleMatches.find((match) => match.outcome === "failed");
  if (failed) return { kind: "deny", code: "rule_failed", rule: failed.rule, reasons };
  const denied = input.ruleMatches.find(({ rule, outcome }) => outcome === "matched" && rule.verdict === "deny");
  if (denied) return { kind: "deny", code: "rule_denied", rule: denied.rule, reasons };
  if (onlySuggests(input)) return { kind: "deny", code: "recorded_as_proposal", reasons };
  return { kind: reasons.length === 0 ? "allow" : "approval", reasons };
}

/** The floor: what asks in every organization, whatever its settings. */
export function floorReasons(input: ReasonInput): ApprovalReason[] {
  const { irreversible, outward, effect } = input;
  const isClean = input.sessionLabels.length === 0;
  const isSteerable = input.sessionLabels.includes("unverified") || input.sessionLabels.includes("untrusted");
  const readSensitive = input.sessionLabels.includes("sensitive");
  return [
    ...when(input.risk === "high", "floor", "high_risk"),
    ...when(input.executesCode, "floor", "code_execution"),
    ...when(input.mandatoryActions.includes(input.action), "mandatory", "mandatory_action"),
    ...when(!isClean && irreversible, "session", "unclean_irreversible"),
    ...when(!isClean && outward, "session", "unclean_outward"),
    ...when(isSteerable && readSensitive && effect === "write", "session", "unclean_sensitive"),
    ...when(input.autonomy === "approve_each" && effect === "write", "autonomy", "each_effect"),
    ...when(input.isTakenUp, "autonomy", "taken_up"),
  ];
}

/** What the level adds above the floor: every level but `autonomous` asks at least as `supervised` does. */
function autonomyReasons(input: ReasonInput): ApprovalReason[] {
  if (input.autonomy === "autonomous") return [];
  return [
    ...when(input.irreversible, "autonomy", "irreversible"),
    ...when(input.outward, "autonomy", "outward"),
    ...when(input.newTargets.length > 0, "autonomy", "new_target"),
  ];
}

/** What the rules that ask ask for. */
export function ruleReasons(matches: readonly RuleMatch[]): ApprovalReason[] {
  return matches.flatMap(reasonsOf);
}

function reasonsOf(match: RuleMatch): ApprovalReason[] {
  switch (match.outcome) {
    case "matched":
      return ruleReason(match.rule);
    case "unclear":
      return [unclearReason(match.rule, match.doubt)];
    case "failed":
      return [];
  }
}

/** Asks what the rule asks. Where the rule would forbid, it takes an admin to say that the amount is not what it forbids. */
function unclearReason(rule: Rule, doubt: AmountDoubt): ApprovalReason {
  const asked = rule.verdict === "approval" ? rule : undefined;
  return {
    kind: "rule",
    code: "amount_unclear",
    text: `The rule "${rule.name}" looks at the amount, and ${AMOUNT_DOUBTS[doubt]}.`,
    ruleId: rule.id,
    requiredRole: rule.verdict === "deny" ? "admin" : (asked?.requiredRole ?? "approver"),
    people: asked?.people ?? 1,
    expiresMinutes: asked?.expiresMinutes ?? null,
    ...(asked?.secondIfQuick ? { secondIfQuick: true } : {}),
  };
}

function ruleReason(rule: Rule): ApprovalReason[] {
  if (rule.verdict === "deny") return [];
  return [
    {
      kind: "rule",
      code: "rule",
      text: `The rule "${rule.name}" asks for a person.`,
      ruleId: rule.id,
      requiredRole: rule.requiredRole ?? "approver",
      people: rule.people ?? 1,
      expiresMinutes: rule.expiresMinutes ?? null,
      ...(rule.secondIfQuick ? { secondIfQuick: true } : {}),
    },
  ];
}

/** `suggest` runs nothing but plain reads; taking a proposal up is a person's act and goes to approval instead. */
function onlySuggests(input: ReasonInput): boolean {
  if (input.autonomy !== "suggest" || input.isTakenUp) return false;
  const isPlainRead = input.effect === "read" && !input.outward && !input.irreversible && input.risk !== "high";
  return !isPlainRead || input.executesCode;
}

function when(applies: boolean, kind: ApprovalReason["kind"], code: FixedCode): ApprovalReason[] {
  if (!applies) return [];
  const text = REASON_TEXTS[code];
  return [{ kind, code, text, ruleId: null, requiredRole: "approver", people: 1, expiresMinutes: null }];
}

export type Requirement = {
  readonly role: ApprovalReason["requiredRole"];
  readonly people: ApprovalReason["people"];
  /** The shortest that any reason sets, zero for never; null where none does and the deployment's default holds. */
  readonly expiresMinutes: number | null;
};

/** What an answer to all reasons together takes: the highest role, the most people, the shortest expiry. */
export function mergeRequirements(reasons: readonly ApprovalReason[]): Requirement {
  let merged: Requirement = { role: "approver", people: 1, expiresMinutes: null };
  for (const { requiredRole, people, expiresMinutes } of reasons) {
    merged = {
      role: satisfiesRole(merged.role, requiredRole) ? merged.role : requiredRole,
      people: people === 2 ? 2 : merged.people,
      expiresMinutes: shorter(merged.expiresMinutes, expiresMinutes),
    };
  }
  return merged;
}

function shorter(a: number | null, b: number | null): number | null {
  const timed = [a, b].filter((minutes) => minutes !== null && minutes > 0).map(Number);
  return timed.length > 0 ? Math.min(...timed) : (a ?? b);
}

/** The first of two reasons alike, with all that either asks for. */
export function stricter(one: ApprovalReason | undefined, other: ApprovalReason): ApprovalReason {
  if (one === undefined) return other;
  return {
    ...one,
    expiresMinutes: shorter(one.expiresMinutes, other.expiresMinutes),
    ...(one.secondIfQuick || other.secondIfQuick ? { secondIfQuick: true } : {}),
  };
}

/** The reasons of now that an approval given for `approved` does not answer: new ones, and ones grown stricter. */
export function unanswered(approved: readonly ApprovalReason[], now: readonly ApprovalReason[]): ApprovalReason[] {
  return now.filter((reason) => !approved.some((given) => answers(given, reason)));
}

/** Whether an approval given for `approved` still suffices. An approval answers only what it was asked for. */
export function satisfies(approved: readonly ApprovalReason[], now: readonly ApprovalReason[]): boolean {
  return unanswered(approved, now).length === 0;
}

function answers(given: ApprovalReason, asked: ApprovalReason): boolean {
  const isSame = given.kind === asked.kind && given.code === asked.code && given.ruleId === asked.ruleId;
  const isRead = given.secondIfQuick === true || asked.secondIfQuick !== true || given.people === 2;
  return isSame && isRead && satisfiesRole(given.requiredRole, asked.requiredRole) && given.people >= asked.people;
}
