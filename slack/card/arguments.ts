import type { JsonValue } from "@/server/domain/json";
import { visibleLine, visibleText } from "@/slack/card/visible-text";

const INDENT = "  ";
/** Each line of a longer text, so that no line of it can pass for a field of its own. */
const RULE = "\u2502 ";
const SHORT = 200;

const quoted = (text: string) => `"${visibleLine(text).replaceAll(/["\\]/g, "\\$&")}"`;

function scalar(value: string | number | boolean | null): string[] {
  if (typeof value !== "string") return [value === null ? "null" : String(value)];
  if (!value.includes("\n")) return [quoted(value)];
  const lines = visibleText(value).split("\n");
  return [`text of ${lines.length} lines`, ...lines.map((line) => `${RULE}${line}`)];
}

const indented = (lines: readonly string[]) => lines.map((line) => `${INDENT}${line}`);

function entries(value: JsonValue[] | { [key: string]: JsonValue }): [string, JsonValue][] {
  if (!Array.isArray(value)) return Object.entries(value).map(([key, part]) => [keyOf(key), part]);
  return value.map((part, index): [string, JsonValue] => [String(index + 1), part]);
}

const keyOf = (key: string) => (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) ? key : quoted(key));

function linesOf(value: JsonValue): string[] {
  if (value === null || typeof value !== "object") return scalar(value);
  const parts = entries(value);
  if (parts.length === 0) return [Array.isArray(value) ? "empty list" : "empty object"];
  return parts.flatMap(([key, part]) => fieldOf(key, part));
}

function fieldOf(key: string, value: JsonValue): string[] {
  const [first = "", ...rest] = linesOf(value);
  const isNested = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  return isNested ? [`${key}:`, ...indented([first, ...rest])] : [`${key}: ${first}`, ...indented(rest)];
}

/** The arguments in full, a field a line, readable and unambiguous. */
export const argumentsText = (value: JsonValue): string => linesOf(value).join("\n");

/** What is short among the fields of arguments that are too long, and how long the others are. */
export function shortArguments(value: JsonValue): string {
  if (value === null || typeof value !== "object") return "";
  const lines = entries(value).map(([key, part]) => {
    const text = fieldOf(key, part).join("\n");
    if (text.length <= SHORT) return text;
    return `${key.slice(0, SHORT)}: ${text.length.toLocaleString("en")} characters, not shown here`;
  });
  return lines.join("\n").slice(0, 2_000);
}
