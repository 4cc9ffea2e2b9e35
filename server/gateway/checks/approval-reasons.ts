import type { ActionDefinition } from "@/server/domain/action";
import type { AmountReading } from "@/server/domain/amounts";
import { judgeReasons } from "@/server/domain/approval-reasons";
import { type Category, holdsBankDetails } from "@/server/domain/categories";
import { trustedBy } from "@/server/domain/destination";
import type { Facts } from "@/server/domain/facts";
import type { RuleFacts, RuleMatch } from "@/server/domain/rule";
import { evaluateRules } from "@/server/domain/rule-engine/evaluate";
import { enforced } from "@/server/domain/shadow";
import type { ToolCall } from "@/server/domain/tool-request";
import { deny, PASS } from "@/server/domain/verdict";
import type { Check } from "@/server/gateway/check";

/** What of the facts a rule can see. */
export type RuleSight = Pick<Facts, "now" | "seenTargets" | "seenByOrganization" | "trusted"> & {
  readonly agent: Pick<Facts["agent"], "id" | "name" | "autonomy" | "departmentId">;
  readonly connection: Pick<NonNullable<Facts["connection"]>, "id" | "name" | "provider" | "sensitive"> | null;
  readonly session: Pick<Facts["session"], "labels" | "origin">;
};

/** Targets that this agent has not reached before over this connection and that nobody trusts. */
export function newTargets(call: ToolCall, facts: Pick<Facts, "seenTargets" | "trusted">): readonly string[] {
  const trusts = trustedBy(facts.trusted);
  return call.classification.targets.filter((target) => !facts.seenTargets.includes(target) && !trusts(target));
}

/** Targets that no agent of the organization has reached before and that nobody trusts. */
function newToOrganization(call: ToolCall, facts: Pick<Facts, "seenByOrganization" | "trusted">): readonly string[] {
  const trusts = trustedBy(facts.trusted);
  return call.classification.targets.filter((target) => !facts.seenByOrganization.includes(target) && !trusts(target));
}

function categoriesOf(
  { action, args, json }: ToolCall,
  amount: AmountReading,
  { connection }: RuleSight,
): readonly Category[] {
  return [
    ...action.categories(args),
    ...(amount.kind === "none" ? [] : (["money"] as const)),
    ...(holdsBankDetails(json) ? (["bank_details"] as const) : []),
    ...(connection?.sensitive ? (["sensitive_connection"] as const) : []),
  ];
}

/** What the call pays or moves; a call that does neither counts with its price. */
function amountFacts(
  { price }: ActionDefinition,
  amount: AmountReading,
): Pick<RuleFacts, "amountMicros" | "currency" | "amountDoubt"> {
  switch (amount.kind) {
    case "certain":
      return { amountMicros: amount.micros, currency: amount.currency, amountDoubt: null };
    case "unclear":
      return { amountMicros: 0n, currency: "", amountDoubt: amount.doubt };
    case "none":
      return { amountMicros: price?.micros ?? 0n, currency: price?.currency ?? "", amountDoubt: null };
  }
}

/** One call as the rules see it. */
export function ruleFacts(call: ToolCall, facts: RuleSight): RuleFacts {
  const { classification, action } = call;
  const amount = action.amount(call.args);
  const isMail = (target: string) => target.includes("@");
  return {
    action: action.name,
    effect: classification.effect,
    risk: classification.risk,
    outward: classification.outward,
    irreversible: classification.irreversible,
    ...amountFacts(action, amount),
    recipients: classification.targets.filter(isMail),
    hosts: classification.targets.filter((target) => !isMail(target)),
    categories: categoriesOf(call, amount, facts),
    newTargets: newTargets(call, facts),
    newToOrganization: newToOrganization(call, facts),
    agent: {
      id: facts.agent.id,
      name: facts.agent.name,
      autonomy: facts.agent.autonomy,
      department: facts.agent.departmentId ?? "",
    },
    connection: {
      id: facts.connection?.id ?? "",
      name: facts.connection?.name ?? "",
      provider: facts.connection?.provider ?? "",
    },
    session: { labels: facts.session.labels, origin: facts.session.origin },
    arguments: call.json,
    at: facts.now,
  };
}

function ruleMatches(call: ToolCall, facts: Facts): RuleMatch[] {
  const rules = enforced(facts.rules);
  return rules.length === 0 ? [] : evaluateRules(rules, ruleFacts(call, facts));
}

/** The floor, the autonomy level, the session's labels, the operator's list and every organization rule. */
export const approvalReasons: Check = {
  name: "approval_reasons",
  run(call, facts) {
    const verdict = judgeReasons({
      action: call.action.name,
      effect: call.classification.effect,
      risk: call.classification.risk,
      irreversible: call.classification.irreversible,
      outward: call.classification.outward,
      executesCode: false,
      autonomy: facts.agent.autonomy,
      isTakenUp: facts.isTakenUp,
      sessionLabels: facts.session.labels,
      newTargets: newTargets(call, facts),
      mandatoryActions: facts.mandatoryActions,
      ruleMatches: ruleMatches(call, facts),
    });
    switch (verdict.kind) {
      case "allow":
        return PASS;
      case "approval":
        return { kind: "ask", reasons: verdict.reasons };
      case "deny":
        return verdict.code === "recorded_as_proposal"
          ? deny("recorded_as_proposal", { isProposal: true })
          : deny(verdict.code, { detail: verdict.rule.name });
    }
  },
};
