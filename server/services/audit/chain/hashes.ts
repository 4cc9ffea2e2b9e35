import { hash } from "node:crypto";

const sha256 = (...parts: readonly Uint8Array[]): Buffer => hash("sha256", Buffer.concat(parts), "buffer");

// Leaf and link are told apart by their first byte, so that neither can pass for the other.
const LEAF = Buffer.of(0);
const LINK = Buffer.of(1);

/** What the first link of an organization's chain follows: no chain is a piece of another organization's. */
export const genesisOf = (orgId: string): Buffer => sha256(Buffer.from(`countersign audit chain v1\0${orgId}`, "utf8"));

/** SHA-256(0x00 ‖ canonical bytes). */
export const leafOf = (canonical: Uint8Array): Buffer => sha256(LEAF, canonical);

/** SHA-256(0x01 ‖ previous ‖ leaf ‖ index as 64 bits, big-endian). */
export function linkOf(previous: Uint8Array, leaf: Uint8Array, index: number): Buffer {
  const place = Buffer.allocUnsafe(8);
  place.writeBigUInt64BE(BigInt(index));
  return sha256(LINK, previous, leaf, place);
}

export type Head = { readonly size: number; readonly hash: Buffer };
export type Link = { readonly index: number; readonly previous: Buffer; readonly hash: Buffer };

/** The links that append `leaves` to a chain, and the chain's head after them. */
export function extend(
  head: Head,
  leaves: readonly Uint8Array[],
): { readonly links: readonly Link[]; readonly head: Head } {
  const links: Link[] = [];
  let { size, hash } = head;
  for (const leaf of leaves) {
    const previous = hash;
    hash = linkOf(previous, leaf, size);
    links.push({ index: size, previous, hash });
    size += 1;
  }
  return { links, head: { size, hash } };
}
