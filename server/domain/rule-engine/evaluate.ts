import type { Rule, RuleFacts, RuleMatch } from "@/server/domain/rule";
import { compileRule } from "@/server/domain/rule-engine/compile";
import {
  costOf,
  type InputSize,
  MAX_RULE_COST,
  MAX_SET_COST,
  sizeOfFacts,
  sizeOfJson,
} from "@/server/domain/rule-engine/cost";
import { AMOUNT_VARIABLES, toRuleContext } from "@/server/domain/rule-engine/environment";

/**
 * Every rule that applies to these facts, in the order of the set. A rule that cannot be compiled, throws, answers
 * anything but true or false, or would cost too much applies as a failure, which denies: it is never passed over.
 */
export function evaluateRules(rules: readonly Rule[], facts: RuleFacts): RuleMatch[] {
  if (rules.length === 0) return [];
  const input = { context: toRuleContext(facts), facts: sizeOfFacts(facts), args: sizeOfJson(facts.arguments) };
  const matches: RuleMatch[] = [];
  let spent = 0;
  for (const rule of rules) {
    const amount = watchAmount(input.context);
    const { answer, cost } = ask(rule, { ...input, context: amount.context }, MAX_SET_COST - spent);
    spent += cost;
    // What it answers by an amount that nobody can read counts for nothing.
    if (facts.amountDoubt !== null && answer !== "failed" && amount.wasRead()) {
      matches.push({ rule, outcome: "unclear", doubt: facts.amountDoubt });
    } else if (answer !== false) {
      matches.push({ rule, outcome: answer === true ? "matched" : "failed" });
    }
  }
  return matches;
}

/** The context, and whether a condition has looked at the amount in it. */
function watchAmount(context: Record<string, unknown>) {
  let wasRead = false;
  const watched: Record<string, unknown> = { ...context };
  for (const name of AMOUNT_VARIABLES) {
    const value = context[name];
    const get = () => {
      wasRead = true;
      return value;
    };
    Object.defineProperty(watched, name, { get });
  }
  return { context: watched, wasRead: () => wasRead };
}

type Input = {
  readonly context: Record<string, unknown>;
  readonly facts: InputSize;
  readonly args: InputSize;
};

function ask(rule: Rule, input: Input, left: number): { answer: boolean | "failed"; cost: number } {
  const compiled = compileRule(rule.condition);
  if (!compiled.ok) return { answer: "failed", cost: 0 };
  const cost = costOf(compiled.rule.shape, input.facts, input.args);
  if (cost > Math.min(MAX_RULE_COST, left)) return { answer: "failed", cost: 0 };
  try {
    const answer = compiled.rule.evaluate(input.context);
    return { answer: typeof answer === "boolean" ? answer : "failed", cost };
  } catch {
    // Whatever went wrong, the caller denies and names the rule; the error may quote arguments, so it goes no further.
    return { answer: "failed", cost };
  }
}
