import type { ApprovalReason } from "@/server/domain/approval-reasons";

/** The checks in the words of the API. */
export const CHECK_NAMES = [
  "controls",
  "grant",
  "validation",
  "secret_scan",
  "approval_reasons",
  "reservation",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** Why a check refuses: the code on the wire and the sentence for people, who also learn who can change it. */
export const DENIALS = {
  locked_down: "Every call is refused: this organization is locked down. An owner can lift it.",
  frozen: "Effects are stopped: this organization is frozen. An owner can lift it.",
  deployment_locked_down: "Every call is refused: the operator locked this deployment down.",
  deployment_frozen: "Effects are stopped: the operator froze this deployment.",
  control_state_unknown: "The controls could not be read, so nothing runs.",
  agent_paused: "This agent is paused. An admin can resume it.",
  owner_disabled: "This agent's owner is disabled. An admin can give it another owner and resume it.",
  key_issuer_disabled: "Whoever issued the key in use is disabled. Another owner or admin can issue a new key.",
  key_not_valid: "The key in use is revoked or has expired. The agent's owner can issue another.",
  recorded_as_proposal: "Effects are not run here: this was recorded as a proposal that a person may take up.",
  tool_off: "This tool is switched off. An admin can switch it on.",
  action_off: "This action is switched off. An admin can switch it on.",
  no_grant: "No grant lets this agent use this action over this connection. An admin can add one.",
  grant_expired: "The grant for this has ended. An admin can renew it.",
  grant_read_only: "The grant for this only reads. An admin can give a write grant for a time.",
  connection_not_active: "The connection is not active. An admin can see why.",
  capability_missing: "The connection does not have the capability that this action needs.",
  wrong_provider: "This action does not belong to the connection's provider.",
  risk_too_high: "The action's risk is above the highest that the grant allows.",
  argument_not_allowed: "An argument is outside what the grant allows.",
  usage_limit: "The grant's usage limit is reached.",
  secret_found: "The call carries what looks like a secret.",
  rule_denied: "An organization rule forbids this.",
  rule_failed: "An organization rule could not be evaluated, so nothing runs.",
  budget_spent: "A budget does not have enough left.",
  no_budget: "The action costs money in a currency for which the organization has no budget.",
  too_many_pending: "Too many requests of this agent wait for a person.",
  check_failed: "A check could not decide, so nothing runs.",
} as const satisfies Record<string, string>;
export type DenyCode = keyof typeof DENIALS;

export type Denial = {
  readonly kind: "deny";
  readonly code: DenyCode;
  /** The argument at fault, as a path. Never its value. */
  readonly field?: string;
  /** What is wrong with it, or which rule. */
  readonly detail?: string;
  /** Kept for a person to take up. */
  readonly isProposal?: boolean;
  readonly retryAfterS?: number;
};

/** What one check says. Only approval reasons ask; deny beats ask, ask beats pass. */
export type CheckResult =
  | { readonly kind: "pass" }
  | { readonly kind: "ask"; readonly reasons: readonly ApprovalReason[] }
  | Denial;

export const PASS: CheckResult = { kind: "pass" };

export function deny(code: DenyCode, more: Omit<Denial, "kind" | "code"> = {}): Denial {
  return { kind: "deny", code, ...more };
}

/** What all checks together say. */
export type Verdict =
  | { readonly kind: "allow" }
  | { readonly kind: "approval"; readonly reasons: readonly ApprovalReason[] }
  | { readonly kind: "deny"; readonly check: CheckName; readonly denial: Denial };
