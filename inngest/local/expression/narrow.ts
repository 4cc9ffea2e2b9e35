import { matchValue } from "@/inngest/local/expression/evaluate";
import { parseCondition } from "@/inngest/local/expression/parse";

/** `matchValue` of an expression as written; undefined without one. Throws RunFailure outside the subset. */
export const matchValueOf = (expression: string | undefined, event: unknown): string | undefined =>
  expression ? matchValue(parseCondition(expression), event) : undefined;
