import { z } from "zod";
import { idOf } from "@/server/domain/ids";
import { RULE_VERDICTS, type Rule, type RuleFacts } from "@/server/domain/rule";
import { evaluateRules } from "@/server/domain/rule-engine/evaluate";

/** What a rule in shadow would have done with a call, as it stands with the request. */
export const shadowMatchSchema = z.strictObject({
  rule: idOf("rule"),
  name: z.string(),
  /** `deny` too where the rule could not be evaluated, `approval` too where the amount could not be read. */
  verdict: z.enum(RULE_VERDICTS),
  outcome: z.enum(["matched", "failed", "unclear"]),
});
export const shadowMatchesSchema = z.array(shadowMatchSchema);
export type ShadowMatch = z.infer<typeof shadowMatchSchema>;

/** The rules that decide. */
export const enforced = (rules: readonly Rule[]): Rule[] => rules.filter(({ isShadow }) => !isShadow);

const inShadow = (rules: readonly Rule[]): Rule[] => rules.filter(({ isShadow }) => isShadow === true);

/**
 * What the rules in shadow would have done; null where none applies. They are evaluated apart from the others, with a
 * cost limit of their own, so that they change nothing about what is decided.
 */
export function shadowMatches(rules: readonly Rule[], facts: () => RuleFacts): readonly ShadowMatch[] | null {
  const shadow = inShadow(rules);
  if (shadow.length === 0) return null;
  const matches = evaluateRules(shadow, facts()).map(({ rule: { id, name, verdict }, outcome }) => ({
    rule: id,
    name,
    verdict: outcome === "failed" ? ("deny" as const) : outcome === "unclear" ? ("approval" as const) : verdict,
    outcome,
  }));
  return matches.length === 0 ? null : matches;
}
