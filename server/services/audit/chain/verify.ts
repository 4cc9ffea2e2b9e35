import { type Checkpoint, isGenuine } from "@/server/services/audit/chain/checkpoint";
import { diagnose, type Fault, isLinked, type Place } from "@/server/services/audit/chain/diagnose";
import { genesisOf, type Head } from "@/server/services/audit/chain/hashes";
import { BrokenChainError, sealOrganization } from "@/server/services/audit/chain/seal";
import type { ChainSource, SealedRow } from "@/server/services/audit/chain/source";
import { storedChain } from "@/server/services/audit/chain/stored";
import { isAsRecorded } from "@/server/services/audit/stored-event";

export type AuditReport = {
  readonly intact: boolean;
  /** Entries in the chain. */
  readonly entries: number;
  /** The hash of the last good link in hex. Kept elsewhere together with `entries`, it shows later that nothing was cut off. */
  readonly head: string;
  readonly firstFault?: Fault;
};

/** Entries read at a time: some milliseconds of work, between which the process serves others. */
const BATCH = 500;

/**
 * Seals what waits, then recomputes the organization's chain from its first entry and names the first fault. `known` is a
 * size and head that someone kept outside the database. Throws AppError `vault_key_missing`.
 */
export async function verifyAudit(orgId: string, known?: Head): Promise<AuditReport> {
  try {
    await sealOrganization(orgId, { wait: true });
  } catch (error) {
    // What follows says what was done to it.
    if (!(error instanceof BrokenChainError)) throw error;
  }
  return verifyChain(storedChain(orgId), known);
}

/** As `verifyAudit`, over any store of a chain, and without sealing. */
export async function verifyChain(source: ChainSource, known?: Head): Promise<AuditReport> {
  const { size, checkpoint } = await source.ends();
  let walk: Walk = {
    place: { index: 0, hash: genesisOf(source.orgId), last: null },
    proven: { index: 0, eventId: null },
    fault: null,
  };
  const end = { size, proven: checkpoint?.size ?? 0 };
  while (walk.fault === null && walk.place.index < size) walk = await walkBatch(source, walk, { end, known });
  const fault = walk.fault ?? (await faultAtEnd(source, walk, { checkpoint, known }));
  const report = { entries: size, head: walk.place.hash.toString("hex") };
  return fault === null ? { intact: true, ...report } : { intact: false, ...report, firstFault: fault };
}

type Walk = {
  readonly place: Place;
  /** The first link that no checkpoint has vouched for yet. */
  readonly proven: { readonly index: number; readonly eventId: string | null };
  readonly fault: Fault | null;
};
type Bounds = { readonly end: { readonly size: number; readonly proven: number }; readonly known: Head | undefined };

async function walkBatch(source: ChainSource, start: Walk, { end, known }: Bounds): Promise<Walk> {
  const from = start.place.index;
  const upTo = Math.min(from + BATCH, end.size);
  const rows = await source.rows(from, upTo);
  const checkpoints = new Map((await source.checkpoints(from, upTo)).map((c) => [c.size, c]));
  let walk = start;
  for (const row of rows) {
    walk = await step(source, walk, { row, end });
    if (walk.fault === null) {
      walk = await atCheckpoint(source, walk, { checkpoint: checkpoints.get(walk.place.index), known });
    }
    if (walk.fault !== null) return walk;
  }
  const { index } = walk.place;
  return index < upTo ? { ...walk, fault: { index, kind: "removed", eventId: null } } : walk;
}

async function step(
  source: ChainSource,
  walk: Walk,
  { row, end }: { row: SealedRow; end: Bounds["end"] },
): Promise<Walk> {
  const { place, proven } = walk;
  // Whoever seals leaves a checkpoint in the same transaction: what lies beyond the last one was put there otherwise.
  if (place.index >= end.proven) {
    return { ...walk, fault: { index: place.index, kind: "inserted", eventId: row.eventId } };
  }
  if (!isLinked(place, row)) return { ...walk, fault: await diagnose(source, place, row) };
  if (!isAsRecorded(source.orgId, row)) {
    return { ...walk, fault: { index: place.index, kind: "changed", eventId: row.eventId } };
  }
  const last = { eventId: row.eventId, previous: place.hash };
  return {
    place: { index: place.index + 1, hash: row.hash, last },
    proven: proven.eventId === null ? { ...proven, eventId: row.eventId } : proven,
    fault: null,
  };
}

type Vouched = { readonly checkpoint: Checkpoint | undefined; readonly known: Head | undefined };

/** Links may be whole and yet not those of then: a chain rewritten with all its hashes fails at the next checkpoint. */
async function atCheckpoint(source: ChainSource, walk: Walk, { checkpoint, known }: Vouched): Promise<Walk> {
  const { index, hash } = walk.place;
  const isForged = checkpoint !== undefined && !isGenuine(source.orgId, checkpoint);
  const isOther = checkpoint?.hash.equals(hash) === false || (known?.size === index && !known.hash.equals(hash));
  if (isForged || isOther) return { ...walk, fault: await faultBefore(source, walk) };
  return checkpoint === undefined ? walk : { ...walk, proven: { index, eventId: null } };
}

/** A link too many shows in the one after it, which does not follow; otherwise all since the last checkpoint is in doubt. */
async function faultBefore(source: ChainSource, { place, proven }: Walk): Promise<Fault> {
  const [next] = await source.rows(place.index, place.index + 1);
  if (next !== undefined && !isLinked(place, next)) return diagnose(source, place, next);
  return { ...proven, kind: "changed" };
}

type Ending = { readonly checkpoint: Checkpoint | null; readonly known: Head | undefined };

async function faultAtEnd(source: ChainSource, walk: Walk, { checkpoint, known }: Ending): Promise<Fault | null> {
  const { index } = walk.place;
  if ((known?.size ?? 0) > index) return { index, kind: "truncated", eventId: null };
  if (checkpoint !== null && checkpoint.size > index) {
    // One that we did not make says nothing about the chain, and something about whoever wrote it.
    return { index, kind: isGenuine(source.orgId, checkpoint) ? "truncated" : "inserted", eventId: null };
  }
  const stray = await source.stray();
  return stray === null ? null : { index, kind: "inserted", eventId: stray };
}
