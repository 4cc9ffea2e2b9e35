import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Kek } from "@/server/vault/kek";

/** Each purpose has a key of its own, derived from the KEK: what proves one thing proves nothing else. */
const PURPOSES = {
  decision: "countersign decision v1",
  audit: "countersign audit v1",
} as const;
export type MacPurpose = keyof typeof PURPOSES;

const derived = new WeakMap<Kek, Map<MacPurpose, KeyObject>>();

function keyFor(kek: Kek, purpose: MacPurpose): KeyObject {
  const keys = derived.get(kek) ?? new Map<MacPurpose, KeyObject>();
  derived.set(kek, keys);
  const known = keys.get(purpose);
  if (known) return known;
  const key = createSecretKey(Buffer.from(hkdfSync("sha256", kek, Buffer.alloc(0), PURPOSES[purpose], 32)));
  keys.set(purpose, key);
  return key;
}

/** HMAC-SHA256 (32 bytes) over the organization's id, its length first, and the bytes. */
export function macFor(kek: Kek, purpose: MacPurpose, orgId: string, bytes: Uint8Array): Buffer {
  const org = Buffer.from(orgId, "utf8");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(org.length);
  return createHmac("sha256", keyFor(kek, purpose)).update(length).update(org).update(bytes).digest();
}

/** Compares in constant time; false for a MAC of the wrong length. */
export function isMacFor(kek: Kek, purpose: MacPurpose, orgId: string, bytes: Uint8Array, mac: Uint8Array): boolean {
  const expected = macFor(kek, purpose, orgId, bytes);
  return mac.byteLength === expected.byteLength && timingSafeEqual(mac, expected);
}
