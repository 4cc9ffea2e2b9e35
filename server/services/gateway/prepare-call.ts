import { createHash } from "node:crypto";
import { type ActionArguments, type ActionDefinition, explainRule } from "@/server/domain/action";
import { findAction } from "@/server/domain/actions/registry";
import { trustedBy } from "@/server/domain/destination";
import { AppError } from "@/server/domain/errors";
import type { PolicyFacts } from "@/server/domain/facts";
import type { JsonObject } from "@/server/domain/json";
import type { ToolCall } from "@/server/domain/tool-request";

/** A call whose arguments fit its action; what is outward is not known before the facts are. */
export type ParsedCall = {
  readonly action: ActionDefinition;
  readonly args: ActionArguments;
  readonly json: JsonObject;
  readonly note: string | undefined;
  readonly targets: readonly string[];
};

/** Finds the action and checks the arguments against its schema. Throws `invalid` naming field and rule. */
export function parseCall(name: string, json: JsonObject, note: string | undefined): ParsedCall {
  const action = findAction(name);
  if (action === null) {
    throw new AppError("invalid", "action: there is no action of this name. GET /api/v1/tools lists yours.", {
      reason: "unknown_action",
      field: "action",
    });
  }
  const parsed = action.parse(json);
  if (!parsed.ok) {
    const [first] = parsed.refusals;
    const field = first.field === "" ? "arguments" : `arguments.${first.field}`;
    throw new AppError("invalid", `${field}: ${explainRule(first.rule)}.`, { reason: first.rule, field });
  }
  const { targets } = action.classify(parsed.args, () => false);
  return { action, args: parsed.args, json, note, targets };
}

/** Adds what depends on the destinations that the organization trusts. */
export function classifyCall(call: ParsedCall, facts: Pick<PolicyFacts, "trusted">): ToolCall {
  const { action, args, json, note } = call;
  return { action, args, json, note, classification: action.classify(args, trustedBy(facts.trusted)) };
}

const hashes = new WeakMap<ActionDefinition, Buffer>();

/** SHA-256 over the action's definition: what was approved under another definition is void. */
export function toolHash(action: ActionDefinition): Buffer {
  const known = hashes.get(action);
  if (known) return known;
  const hash = createHash("sha256").update(action.definitionText()).digest();
  hashes.set(action, hash);
  return hash;
}
