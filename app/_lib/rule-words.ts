import "server-only";
import type { RuleWord } from "@/app/_ui/rules/rule-words";
import { RULE_OBJECTS, RULE_VARIABLES } from "@/server/domain/rule-engine/environment";

/** Every word that a condition may use, from the environment that checks it. */
export function ruleWords(): RuleWord[] {
  const variables = Object.entries(RULE_VARIABLES).map(([name, [type, about]]) => ({ name, type, about }));
  const members = Object.entries(RULE_OBJECTS).flatMap(([name, fields]) =>
    Object.entries(fields).map(([field, type]) => ({ name: `${name}.${field}`, type, about: "" })),
  );
  return [...variables, ...members];
}
