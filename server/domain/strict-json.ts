import { AppError } from "@/server/domain/errors";
import type { JsonObject, JsonValue } from "@/server/domain/json";
import { JsonReader, type StrictJsonRule } from "@/server/domain/json-reader";

const MESSAGES: Record<StrictJsonRule, string> = {
  too_large: "The body is larger than allowed.",
  byte_order_mark: "The body must not start with a byte order mark.",
  invalid_utf8: "The body is not valid UTF-8.",
  nul: "The body must not contain NUL.",
  syntax: "The body is not valid JSON.",
  trailing_text: "The body must hold one JSON value and nothing after it.",
  too_deep: "The body is nested too deeply.",
  duplicate_key: "An object has the same key twice.",
  forbidden_key: "The keys __proto__, constructor and prototype are not allowed.",
  lone_surrogate: "A string holds half of a surrogate pair.",
  unsafe_number: "A number cannot be held exactly: beyond the safe integers, too small, or over 17 digits.",
  not_an_object: "The body must be a JSON object.",
};

export const MAX_BODY_BYTES = 1024 * 1024;
const MAX_JSON_DEPTH = 32;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads one JSON value so that no other reader can understand it differently: what two parsers may disagree on is
 * refused by name. Throws AppError `invalid` (`too_large` for the size) naming rule and path, never the content.
 * Linear in the size; depth is bounded.
 */
export function parseStrictJson(body: Uint8Array, limits: { maxBytes?: number; maxDepth?: number } = {}): JsonValue {
  if (body.byteLength > (limits.maxBytes ?? MAX_BODY_BYTES)) throw refusal("too_large", "");
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) throw refusal("byte_order_mark", "");
  if (body.includes(0)) throw refusal("nul", "");
  const reader = new JsonReader(decode(body), limits.maxDepth ?? MAX_JSON_DEPTH, refusal);
  return reader.readDocument();
}

/** `parseStrictJson`, refusing whatever is not an object. */
export function parseStrictJsonObject(body: Uint8Array): JsonObject {
  const value = parseStrictJson(body);
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw refusal("not_an_object", "");
  return value;
}

function decode(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch (cause) {
    throw refusal("invalid_utf8", "", cause);
  }
}

function refusal(rule: StrictJsonRule, path: string, cause?: unknown): AppError {
  const details = path === "" ? { reason: `json_${rule}` } : { reason: `json_${rule}`, field: path };
  return new AppError(rule === "too_large" ? "too_large" : "invalid", MESSAGES[rule], details, { cause });
}
