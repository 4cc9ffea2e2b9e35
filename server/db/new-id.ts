import { randomFillSync } from "node:crypto";
import { encodeTime, monotonicFactory } from "ulid";
import { type IdKind, prefixOf } from "@/server/domain/ids";

const pool = Buffer.alloc(4_096);
let used = pool.length;

/** Cryptographic randomness in [0, 1), a byte at a time: asked for one by one, bytes cost more than the id. */
function random(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const byte = pool[used] ?? 0;
  used += 1;
  return byte / 256;
}

const next = monotonicFactory(random);

/** A new id: prefixed, sortable by time, 80 random bits. */
export function newId(kind: IdKind): string {
  return `${prefixOf(kind)}_${next()}`;
}

/** The lowest id that could have been made at this time: a bound for reading by time over ids. */
export function lowestIdAt(kind: IdKind, at: Date): string {
  return `${prefixOf(kind)}_${encodeTime(at.getTime())}${"0".repeat(16)}`;
}
