import { RunFailure } from "@/inngest/local/failure";
import { LIMITS } from "@/inngest/local/limits";

export type Scalar = string | number | boolean | null;
export type Token =
  | { readonly kind: "symbol"; readonly text: string }
  | { readonly kind: "literal"; readonly value: Scalar }
  | { readonly kind: "name"; readonly text: string };

/** An expression outside the subset. `where` says what was met, never what the expression compares. */
export const unsupportedExpression = (where: string): RunFailure =>
  new RunFailure("UnsupportedExpression", `expression not supported by the local engine: ${where}`);

const TOKEN =
  /\s*(?:(?<symbol>==|!=|&&|\|\||[()[\].+])|(?<text>'(?:[^'\\]|\\['"\\])*'|"(?:[^"\\]|\\['"\\])*")|(?<number>-?\d+(?:\.\d+)?)(?![\w.])|(?<name>[A-Za-z_]\w*))/y;

const WORDS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function toToken(groups: Readonly<Record<string, string | undefined>>): Token {
  const { symbol, text, number, name = "" } = groups;
  if (symbol) return { kind: "symbol", text: symbol };
  if (text) return { kind: "literal", value: text.slice(1, -1).replace(/\\(['"\\])/g, "$1") };
  if (number) return { kind: "literal", value: Number(number) };
  const word = WORDS.get(name);
  return word === undefined ? { kind: "name", text: name } : { kind: "literal", value: word };
}

/** The tokens of an expression. Throws RunFailure at the first character outside the subset. */
export function tokensOf(source: string): Token[] {
  if (source.length > LIMITS.expressionLength) throw unsupportedExpression("it is too long");
  const text = source.trimEnd();
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < text.length) {
    const start = pattern.lastIndex;
    const match = pattern.exec(text);
    if (!match?.groups) throw unsupportedExpression(`column ${start + 1}`);
    tokens.push(toToken(match.groups));
  }
  return tokens;
}
