import { type Scalar, type Token, tokensOf, unsupportedExpression } from "@/inngest/local/expression/tokens";
import { LIMITS } from "@/inngest/local/limits";

/**
 * The part of Inngest's dialect that every implementation reads alike: `==`, `!=`, `&&`, `||`, parentheses, literals
 * and attributes of `event` and `async`. Where dialects differ (`!`, `<`, calls, bare booleans) it is refused.
 */
export type Root = "event" | "async";
export type Operand =
  | { readonly kind: "literal"; readonly value: Scalar }
  | { readonly kind: "attribute"; readonly root: Root; readonly path: readonly (string | number)[] };
export type Condition =
  | { readonly kind: "compare"; readonly isEqual: boolean; readonly left: Operand; readonly right: Operand }
  | { readonly kind: "all"; readonly terms: readonly Condition[] }
  | { readonly kind: "any"; readonly terms: readonly Condition[] };

type Reader = {
  readonly roots: readonly Root[];
  readonly peek: () => Token | undefined;
  readonly next: () => Token | undefined;
};

function readerOf(source: string, roots: readonly Root[]): Reader {
  const tokens = tokensOf(source);
  let at = 0;
  return {
    roots,
    peek: () => tokens[at],
    next: () => {
      at += 1;
      return tokens[at - 1];
    },
  };
}

function isNext(reader: Reader, symbol: string): boolean {
  const token = reader.peek();
  return token?.kind === "symbol" && token.text === symbol;
}

function accept(reader: Reader, symbol: string): boolean {
  if (!isNext(reader, symbol)) return false;
  reader.next();
  return true;
}

function expect(reader: Reader, symbol: string): void {
  if (!accept(reader, symbol)) throw unsupportedExpression(`"${symbol}" was expected`);
}

function readIndex(reader: Reader): string | number {
  const token = reader.next();
  if (token?.kind !== "literal" || (typeof token.value !== "string" && typeof token.value !== "number")) {
    throw unsupportedExpression("an index must be a text or a number");
  }
  expect(reader, "]");
  return token.value;
}

function readPath(reader: Reader): (string | number)[] {
  const path: (string | number)[] = [];
  for (;;) {
    if (accept(reader, ".")) {
      const token = reader.next();
      if (token?.kind !== "name") throw unsupportedExpression("an attribute name was expected");
      path.push(token.text);
    } else if (accept(reader, "[")) path.push(readIndex(reader));
    else return path;
  }
}

function readOperand(reader: Reader): Operand {
  const token = reader.next();
  if (token?.kind === "literal") return { kind: "literal", value: token.value };
  if (token?.kind !== "name") throw unsupportedExpression("a value was expected");
  const root = reader.roots.find((known) => known === token.text);
  if (!root) throw unsupportedExpression(`only ${reader.roots.join(" and ")} can be used`);
  const path = readPath(reader);
  if (path.length === 0) throw unsupportedExpression(`"${root}" needs an attribute`);
  if (isNext(reader, "(")) throw unsupportedExpression("calls and macros");
  return { kind: "attribute", root, path };
}

function readTerm(reader: Reader, depth: number): Condition {
  if (accept(reader, "(")) {
    const inner = readAny(reader, depth + 1);
    expect(reader, ")");
    return inner;
  }
  const left = readOperand(reader);
  const isEqual = accept(reader, "==");
  if (!isEqual && !accept(reader, "!=")) throw unsupportedExpression("each term must compare with == or !=");
  return { kind: "compare", isEqual, left, right: readOperand(reader) };
}

function readAll(reader: Reader, depth: number): Condition {
  const first = readTerm(reader, depth);
  const terms = [first];
  while (accept(reader, "&&")) terms.push(readTerm(reader, depth));
  return terms.length === 1 ? first : { kind: "all", terms };
}

function readAny(reader: Reader, depth: number): Condition {
  if (depth > LIMITS.expressionDepth) throw unsupportedExpression("it is nested too deeply");
  const first = readAll(reader, depth);
  const terms = [first];
  while (accept(reader, "||")) terms.push(readAll(reader, depth));
  return terms.length === 1 ? first : { kind: "any", terms };
}

/** Parses a condition over `roots`. Throws RunFailure outside the subset. */
export function parseCondition(source: string, roots: readonly Root[] = ["event", "async"]): Condition {
  const reader = readerOf(source, roots);
  const condition = readAny(reader, 0);
  if (reader.peek()) throw unsupportedExpression("text after the end");
  return condition;
}

/** Parses a key: attributes of `event` and literals joined with `+`. Throws RunFailure outside the subset. */
export function parseKey(source: string): Operand[] {
  const reader = readerOf(source, ["event"]);
  const parts = [readOperand(reader)];
  while (accept(reader, "+")) parts.push(readOperand(reader));
  if (reader.peek()) throw unsupportedExpression("a key is attributes and literals joined with +");
  return parts;
}

/** Whether a condition looks at the event that is being waited for. */
export function mentionsAsync(condition: Condition): boolean {
  if (condition.kind !== "compare") return condition.terms.some(mentionsAsync);
  return [condition.left, condition.right].some((side) => side.kind === "attribute" && side.root === "async");
}
