import { newId } from "@/server/db/new-id";
import type { AuditEntry } from "@/server/domain/audit";
import { canonicalEvent } from "@/server/services/audit/canonical";
import { type Checkpoint, checkpointOf } from "@/server/services/audit/chain/checkpoint";
import { extend, genesisOf } from "@/server/services/audit/chain/hashes";
import type { ChainSource, SealedRow } from "@/server/services/audit/chain/source";

export type MemoryChain = {
  readonly orgId: string;
  rows: SealedRow[];
  checkpoints: Checkpoint[];
  unsealed: SealedRow[];
};

function anEntry(orgId: string): AuditEntry {
  return {
    type: "control.activated",
    actor: { kind: "system", orgId, job: "test", permissions: new Set() },
    at: new Date("2026-11-30T12:00:00Z"),
    fields: { level: "freeze", version: 1 },
  };
}

/** An event as the database would hold it, with a place in no chain. */
export function anEvent(orgId: string): SealedRow {
  const { id, canonical, leaf, personal: _none, ...columns } = canonicalEvent(orgId, anEntry(orgId));
  const event = { ...columns, canonical: Buffer.from(canonical, "base64"), leaf: Buffer.from(leaf, "base64") };
  return { index: -1, eventId: id, previous: Buffer.alloc(32), hash: Buffer.alloc(32), event, personal: [] };
}

const leafIn = (row: SealedRow): Buffer => row.event?.leaf ?? Buffer.alloc(32);

/** A chain of batches of these sizes, each with its checkpoint, as the sealer leaves it. */
export function aChain(sizes: readonly number[]): MemoryChain {
  const orgId = newId("organization");
  const chain: MemoryChain = { orgId, rows: [], checkpoints: [], unsealed: [] };
  let head = { size: 0, hash: genesisOf(orgId) };
  for (const size of sizes) {
    const events = Array.from({ length: size }, () => anEvent(orgId));
    const extended = extend(head, events.map(leafIn));
    chain.rows.push(...events.map((event, at) => ({ ...event, ...extended.links[at] }) as SealedRow));
    head = extended.head;
    chain.checkpoints.push(checkpointOf(orgId, head));
  }
  return chain;
}

/** Gives all rows the links that the chain would have had with these events in this order. */
export function relink(chain: MemoryChain): void {
  const { links } = extend({ size: 0, hash: genesisOf(chain.orgId) }, chain.rows.map(leafIn));
  chain.rows = chain.rows.map((row, at) => ({ ...row, ...links[at] }));
}

/** Numbers the rows as they lie. */
export function renumber(chain: MemoryChain): void {
  chain.rows = chain.rows.map((row, index) => ({ ...row, index }));
}

export function memorySource(chain: MemoryChain): ChainSource {
  const { orgId, rows, checkpoints, unsealed } = chain;
  const sorted = () => [...rows].sort((a, b) => a.index - b.index);
  return {
    orgId,
    ends: async () => ({ size: (sorted().at(-1)?.index ?? -1) + 1, checkpoint: checkpoints.at(-1) ?? null }),
    rows: async (from, end) => sorted().filter((row) => row.index >= from && row.index < end),
    checkpoints: async (after, upTo) => checkpoints.filter(({ size }) => size > after && size <= upTo),
    stray: async () => unsealed[0]?.eventId ?? null,
    hasSuccessor: async (hash, index) => rows.some((row) => row.previous.equals(hash) && row.index > index),
    isSealed: async (eventId) => rows.some((row) => row.eventId === eventId),
    leaves: async function* () {
      yield [...rows, ...unsealed].map((row) => ({ id: row.eventId, leaf: leafIn(row) }));
    },
  };
}
