import { TypeError as CelTypeError, ParseError, type ParseResult } from "@marcbachmann/cel-js";
import { MAX_CONDITION_LENGTH } from "@/server/domain/rule";
import {
  createRuleEnvironment,
  RULE_FUNCTIONS,
  RULE_METHODS,
  RULE_OBJECTS,
  RULE_VARIABLES,
} from "@/server/domain/rule-engine/environment";
import { inspectCondition, type Objection, type Shape } from "@/server/domain/rule-engine/inspect";
import { nearestName } from "@/server/domain/rule-engine/suggest";

/** Where and why a condition is refused. Line and column count from 1. */
export type RuleProblem = {
  readonly code: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  /** A known name that was probably meant. */
  readonly suggestion: string | null;
};

export type CompiledRule = {
  /** Evaluates over `toRuleContext`. Throws when an argument is missing or of another type. */
  readonly evaluate: (context: Record<string, unknown>) => unknown;
  readonly shape: Shape;
};

export type CompileResult =
  | { readonly ok: true; readonly rule: CompiledRule }
  | { readonly ok: false; readonly problem: RuleProblem };

const environment = createRuleEnvironment();
const VARIABLE_NAMES = [...Object.keys(RULE_VARIABLES), ...Object.keys(RULE_OBJECTS)];
const FIELD_NAMES = Object.values(RULE_OBJECTS).flatMap((fields) => Object.keys(fields));
const CALL_NAMES = [...RULE_FUNCTIONS, ...RULE_METHODS];

const MAX_CACHED = 2_000;
const cache = new Map<string, CompileResult>();

/**
 * Parses and type-checks a condition. The answer for a text never changes, so it is remembered, up to 2,000 texts,
 * the least recently used leaving first.
 */
export function compileRule(text: string): CompileResult {
  if (text.length > MAX_CONDITION_LENGTH) {
    const message = `A condition has at most ${MAX_CONDITION_LENGTH.toLocaleString("en")} characters.`;
    return refused(text, 0, { code: "too_long", message });
  }
  const known = cache.get(text);
  const result = known ?? compile(text);
  cache.delete(text);
  cache.set(text, result);
  const [oldest] = cache.size > MAX_CACHED ? cache.keys() : [];
  if (oldest !== undefined) cache.delete(oldest);
  return result;
}

function compile(text: string): CompileResult {
  try {
    const program = environment.parse(text);
    const shape = inspectCondition(program.ast);
    if ("code" in shape) return objected(text, shape);
    return check(text, program, shape);
  } catch (error) {
    return refusedBy(text, error);
  }
}

function check(text: string, program: ParseResult, shape: Shape): CompileResult {
  const { valid, type, error } = program.check();
  if (!valid) return refusedBy(text, error);
  if (type !== "bool") {
    const hint = type === "dyn" ? "; compare an argument with a value, such as args.urgent == true" : "";
    return refused(text, 0, {
      code: "not_bool",
      message: `A condition must be true or false, this is ${type}${hint}.`,
    });
  }
  return { ok: true, rule: { evaluate: (context) => program(context), shape } };
}

function objected(text: string, { code, name, at }: Objection): CompileResult {
  switch (code) {
    case "loops_too_deep":
      return refused(text, at, { code, message: "A loop may stand in one other loop, not deeper." });
    case "unknown_function": {
      const message =
        name === "matches"
          ? "Patterns are not available: use contains, startsWith or endsWith."
          : `Unknown function: ${name}.`;
      return refused(text, at, { code, message, suggestion: nearestName(name, CALL_NAMES) });
    }
    case "unknown_time_zone": {
      const message =
        name === "" ? 'Write the time zone as a text, such as "Europe/Berlin".' : `Unknown time zone: ${name}.`;
      return refused(text, at, { code, message });
    }
    case "unknown_variable":
      return refused(text, at, {
        code,
        message: `Unknown name: ${name}.`,
        suggestion: nearestName(name, VARIABLE_NAMES),
      });
  }
}

function refusedBy(text: string, error: unknown): CompileResult {
  if (!(error instanceof ParseError || error instanceof CelTypeError)) throw error;
  const at = error.range?.start ?? 0;
  const written = text.slice(at, error.range?.end ?? at);
  const suggestion = error.code === "no_such_key" ? nearestName(written, FIELD_NAMES) : null;
  return refused(text, at, { code: error.code, message: `${error.summary}.`, suggestion });
}

type Reason = { readonly code: string; readonly message: string; readonly suggestion?: string | null };

function refused(text: string, at: number, { code, message, suggestion = null }: Reason): CompileResult {
  const before = text.slice(0, at).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  const hint = suggestion === null ? "" : ` Did you mean ${suggestion}?`;
  return { ok: false, problem: { code, message: message + hint, line: before.length, column, suggestion } };
}
