import { isDeepStrictEqual } from "node:util";
import type { Condition, Operand } from "@/inngest/local/expression/parse";

export type Environment = { readonly event: unknown; readonly async?: unknown };

function attribute(value: unknown, key: string | number): unknown {
  if (typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) return typeof key === "number" ? (value[key] ?? null) : null;
  return Object.hasOwn(value, key) ? (value as Record<string | number, unknown>)[key] : null;
}

function operandValue(operand: Operand, environment: Environment): unknown {
  if (operand.kind === "literal") return operand.value;
  const root: unknown = environment[operand.root] ?? null;
  return operand.path.reduce(attribute, root) ?? null;
}

/** Whether a condition holds. A missing attribute is null, null equals only null, and nothing is converted. */
export function holds(condition: Condition, environment: Environment): boolean {
  if (condition.kind === "all") return condition.terms.every((term) => holds(term, environment));
  if (condition.kind === "any") return condition.terms.some((term) => holds(term, environment));
  const isSame = isDeepStrictEqual(
    operandValue(condition.left, environment),
    operandValue(condition.right, environment),
  );
  return isSame === condition.isEqual;
}

/** The text of a key: texts as they are, anything else as JSON, joined. */
export function keyText(parts: readonly Operand[], event: unknown): string {
  return parts
    .map((part) => operandValue(part, { event }))
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    .join("");
}

const isAsync = (operand: Operand): boolean => operand.kind === "attribute" && operand.root === "async";

function requiredValue(condition: Condition, environment: Environment): unknown {
  if (condition.kind === "any") return undefined;
  if (condition.kind === "all") {
    for (const term of condition.terms) {
      const value = requiredValue(term, environment);
      if (value !== undefined) return value;
    }
    return undefined;
  }
  if (!condition.isEqual || isAsync(condition.left) === isAsync(condition.right)) return undefined;
  return operandValue(isAsync(condition.left) ? condition.right : condition.left, environment);
}

const MAX_LEAVES = 200;
/** An indexed value must stay short. */
const MAX_VALUE_LENGTH = 200;

function scalarText(value: unknown): string | undefined {
  if (typeof value === "object" && value !== null) return undefined;
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? undefined : text;
}

/**
 * A value that any event satisfying the condition must carry somewhere, as JSON; undefined when there is none to
 * name. It narrows who is asked about an event, so that thousands may wait for their own.
 */
export function matchValue(condition: Condition, event: unknown): string | undefined {
  const value = requiredValue(condition, { event });
  return value === undefined ? undefined : scalarText(value);
}

/** Every short scalar that an event carries, as JSON, and null for what it lacks. Undefined when there are too many. */
export function scalarsOf(event: unknown): string[] | undefined {
  const found = new Set(["null"]);
  const rest: unknown[] = [event];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === "object" && value !== null) rest.push(...Object.values(value));
    else found.add(scalarText(value) ?? "null");
    if (found.size > MAX_LEAVES || rest.length > MAX_LEAVES) return undefined;
  }
  return [...found];
}
