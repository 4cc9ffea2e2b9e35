import "server-only";
import type { RuleWords } from "@/app/_ui/rules/rule-words";
import { listActions } from "@/server/domain/actions/registry";
import { RULE_OBJECTS, RULE_VARIABLES } from "@/server/domain/rule-engine/environment";

/** Every word that a condition may use, from the environment that checks it, and the actions there are. */
export function ruleWords(): RuleWords {
  const variables = Object.entries(RULE_VARIABLES).map(([name, [type, about]]) => ({ name, type, about }));
  const members = Object.entries(RULE_OBJECTS).flatMap(([name, fields]) =>
    Object.entries(fields).map(([field, type]) => ({ name: `${name}.${field}`, type, about: "" })),
  );
  return { words: [...variables, ...members], actions: listActions().map(({ name }) => name) };
}
