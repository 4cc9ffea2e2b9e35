import { AppError } from "@/server/domain/errors";
import { compileRule } from "@/server/domain/rule-engine/compile";

/** Type-checks a condition. Throws `invalid` with the place of the fault: line and column count from 1. */
export function requireCondition(condition: string): void {
  const compiled = compileRule(condition);
  if (compiled.ok) return;
  const { code, message, line, column, suggestion } = compiled.problem;
  throw new AppError("invalid", `condition: ${message}`, {
    reason: "rule_condition",
    field: "condition",
    extra: { problem: code, line, column, suggestion },
  });
}
