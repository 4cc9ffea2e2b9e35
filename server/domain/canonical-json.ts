import canonicalize from "canonicalize";
import type { JsonValue } from "@/server/domain/json";

const MAX_DEPTH = 64;
const encoder = new TextEncoder();

/**
 * RFC 8785 canonical JSON. Throws TypeError for what JSON cannot carry (undefined, NaN, a lone surrogate, a Date or
 * other instance, a cycle): leaving such a value out would let two different inputs hash alike.
 */
export function canonicalJson(value: JsonValue): string {
  assertJson(value, 0);
  const text = canonicalize(value);
  if (typeof text !== "string") throw new TypeError("value has no canonical form");
  return text;
}

/** `canonicalJson` as UTF-8: the bytes that are hashed, stored and run. */
export function canonicalBytes(value: JsonValue): Uint8Array {
  return encoder.encode(canonicalJson(value));
}

// Typed callers cannot reach most of these, but a cast or a database row can.
function assertJson(value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw new TypeError("value is nested too deeply or refers to itself");
  if (typeof value === "string") assertWellFormed(value);
  else if (typeof value === "number") assertFinite(value);
  else if (Array.isArray(value)) assertItems(value, depth);
  else if (typeof value === "object" && value !== null) assertPlainObject(value, depth);
  else if (typeof value !== "boolean" && value !== null) throw new TypeError(`${typeof value} is not JSON`);
}

function assertItems(items: readonly unknown[], depth: number): void {
  // An index loop also meets holes, which `forEach` would pass over.
  for (let i = 0; i < items.length; i++) assertJson(items[i], depth + 1);
}

function assertPlainObject(value: object, depth: number): void {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError("only plain objects are JSON");
  for (const [key, item] of Object.entries(value)) {
    assertWellFormed(key);
    assertJson(item, depth + 1);
  }
}

function assertWellFormed(text: string): void {
  if (!text.isWellFormed()) throw new TypeError("string holds a lone surrogate");
}

function assertFinite(value: number): void {
  if (!Number.isFinite(value)) throw new TypeError("number is not finite");
}
