import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { extend, genesisOf, leafOf, linkOf } from "@/server/services/audit/chain/hashes";
import type { SealedRow, StoredEvent } from "@/server/services/audit/chain/source";
import { verifyChain } from "@/server/services/audit/chain/verify";
import { aChain, anEvent, type MemoryChain, memorySource, relink, renumber } from "./memory-chain";

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 });
const place = fc.nat({ max: 1_000 });
const runs = { numRuns: 60 };

const at = (chain: MemoryChain, n: number): number => n % chain.rows.length;
const rowAt = (chain: MemoryChain, index: number): SealedRow => chain.rows[index] as SealedRow;
const faultOf = async (chain: MemoryChain) => (await verifyChain(memorySource(chain))).firstFault;

/** The first entry that shares a checkpoint with the one at `index`. */
const batchOf = (chain: MemoryChain, index: number): number =>
  Math.max(0, ...chain.checkpoints.map(({ size }) => size).filter((size) => size <= index));

function change(chain: MemoryChain, index: number, alsoLeaf: boolean): void {
  const row = rowAt(chain, index);
  const event = row.event as StoredEvent;
  const canonical = Buffer.from(event.canonical.toString("utf8").replace('"freeze"', '"thawed"'), "utf8");
  chain.rows[index] = { ...row, event: { ...event, canonical, leaf: alsoLeaf ? leafOf(canonical) : event.leaf } };
}

it("the hashes are what the documentation says", () => {
  const sha = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
  const leaf = sha(Buffer.of(0), Buffer.from("{}"));
  expect(leafOf(Buffer.from("{}"))).toEqual(leaf);
  const first = sha(Buffer.of(1), genesisOf("org"), leaf, Buffer.from("0000000000000005", "hex"));
  expect(linkOf(genesisOf("org"), leaf, 5)).toEqual(first);
  expect(genesisOf("org")).not.toEqual(genesisOf("other"));
});

it("sealing in pieces gives the chain that sealing at once gives", () => {
  const leaf = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(fc.array(leaf, { maxLength: 20 }), place, (leaves, cut) => {
      const start = { size: 0, hash: genesisOf("org") };
      const middle = extend(start, leaves.slice(0, cut % (leaves.length + 1)));
      const rest = extend(middle.head, leaves.slice(cut % (leaves.length + 1)));
      const whole = extend(start, leaves);
      expect([...middle.links, ...rest.links]).toEqual(whole.links);
      expect(rest.head).toEqual(whole.head);
    }),
  );
});

it("a chain as the sealer leaves it is intact", () =>
  fc.assert(
    fc.asyncProperty(sizes, async (parts) => {
      const chain = aChain(parts);
      expect(await verifyChain(memorySource(chain))).toMatchObject({ intact: true, entries: chain.rows.length });
    }),
    runs,
  ));

it("a change is found where it is, whatever of the entry it touched", () =>
  fc.assert(
    fc.asyncProperty(sizes, place, fc.boolean(), async (parts, n, alsoLeaf) => {
      const chain = aChain(parts);
      const index = at(chain, n);
      change(chain, index, alsoLeaf);
      expect(await faultOf(chain)).toEqual({ index, kind: "changed", eventId: rowAt(chain, index).eventId });
    }),
    runs,
  ));

it("a change with every later hash made good is found at the batch it is in", () =>
  fc.assert(
    fc.asyncProperty(sizes, place, async (parts, n) => {
      const chain = aChain(parts);
      const index = at(chain, n);
      change(chain, index, true);
      relink(chain);
      expect(await faultOf(chain)).toMatchObject({ index: batchOf(chain, index), kind: "changed" });
    }),
    runs,
  ));

it("a removal before the end is found where it is, closed up or not", () =>
  fc.assert(
    fc.asyncProperty(sizes, place, fc.boolean(), async (parts, n, isClosed) => {
      const chain = aChain([1, ...parts]);
      const index = n % (chain.rows.length - 1);
      chain.rows.splice(index, 1);
      if (isClosed) renumber(chain);
      expect(await faultOf(chain)).toEqual({ index, kind: "removed", eventId: null });
    }),
    runs,
  ));

it("two that changed places are found at the first of them", () =>
  fc.assert(
    fc.asyncProperty(sizes, place, place, async (parts, m, n) => {
      const chain = aChain([1, ...parts]);
      const [low, high] = [at(chain, m), at(chain, n)].sort((a, b) => a - b) as [number, number];
      fc.pre(low !== high);
      const [first, second] = [rowAt(chain, low), rowAt(chain, high)];
      chain.rows[low] = second;
      chain.rows[high] = first;
      renumber(chain);
      expect(await faultOf(chain)).toEqual({ index: low, kind: "reordered", eventId: second.eventId });
    }),
    runs,
  ));

it("an insertion is found where it is, its own link right or wrong", () =>
  fc.assert(
    fc.asyncProperty(sizes, place, fc.boolean(), async (parts, n, isLinked) => {
      const chain = aChain(parts);
      const index = n % (chain.rows.length + 1);
      const forged = anEvent(chain.orgId);
      const previous = index === 0 ? genesisOf(chain.orgId) : rowAt(chain, index - 1).hash;
      const hash = linkOf(previous, forged.event?.leaf ?? previous, index);
      chain.rows.splice(index, 0, isLinked ? { ...forged, previous, hash } : forged);
      renumber(chain);
      expect(await faultOf(chain)).toEqual({ index, kind: "inserted", eventId: forged.eventId });
    }),
    runs,
  ));

it("an end cut off is found, however much of it", () =>
  fc.assert(
    fc.asyncProperty(sizes, place, async (parts, n) => {
      const chain = aChain(parts);
      const index = at(chain, n);
      chain.rows.splice(index);
      expect(await faultOf(chain)).toEqual({ index, kind: "truncated", eventId: null });
    }),
    runs,
  ));

it("an event beside the chain is found", async () => {
  const chain = aChain([2, 3]);
  const forged = anEvent(chain.orgId);
  chain.unsealed.push(forged);
  expect(await faultOf(chain)).toEqual({ index: 5, kind: "inserted", eventId: forged.eventId });
});
