import { type AmountReading, findAmount, mentionsAmount, unclearAmount } from "@/server/domain/amounts";
import type { JsonObject, JsonValue } from "@/server/domain/json";
import { parseStrictJson } from "@/server/domain/strict-json";

type Sent = { readonly query: string; readonly body: unknown };

/**
 * What a writing HTTP call says it pays: named so in its query or its body, as JSON or as a form. A body that this
 * cannot take apart and that may hold an amount is unclear.
 */
export function httpAmount({ query, body }: Sent): AmountReading {
  const inBody = typeof body === "string" ? bodyOf(body) : ((body ?? null) as JsonValue);
  if (inBody === undefined) return unclearAmount("format");
  const fields = fieldsOf(query);
  if (fields === undefined) return unclearAmount("several");
  return findAmount([fields, inBody]);
}

/** The body as fields, null where it holds none, or undefined where it may hold an amount and has no one reading. */
function bodyOf(text: string): JsonValue | undefined {
  const start = text.trimStart()[0] ?? "";
  if (start === "{" || start === "[") return jsonOf(text);
  if (/^[^\s{}[\]<>=]+=[^\s<>]*$/.test(text)) return fieldsOf(text);
  return mentionsAmount(text) || text.includes("&#") ? undefined : null;
}

/** JSON that two readers may understand differently, such as a key that stands there twice, has no one reading. */
function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseStrictJson(new TextEncoder().encode(text));
  } catch {
    return undefined;
  }
}

/** The fields of a form or a query; undefined where a field stands there twice, since services differ in which counts. */
function fieldsOf(text: string): JsonObject | undefined {
  const pairs = [...new URLSearchParams(text)];
  const names = new Set(pairs.map(([name]) => name));
  const isTwice = names.size < pairs.length && mentionsAmount(pairs.flat().join(" "));
  return isTwice ? undefined : Object.fromEntries(pairs);
}
