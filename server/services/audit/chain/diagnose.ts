import { setImmediate } from "node:timers/promises";
import type { AuditFault } from "@/server/domain/audit";
import { linkOf } from "@/server/services/audit/chain/hashes";
import type { ChainSource, SealedRow } from "@/server/services/audit/chain/source";
import { isAsRecorded } from "@/server/services/audit/stored-event";

export type Fault = { readonly index: number; readonly kind: AuditFault; readonly eventId: string | null };

/** Where verification stands: the links so far are good. */
export type Place = {
  readonly index: number;
  readonly hash: Buffer;
  /** The last good link, and the hash that it follows. */
  readonly last: { readonly eventId: string; readonly previous: Buffer } | null;
};

/** Whether `row` is the link that belongs at `place`. What it holds is another question. */
export function isLinked(place: Place, row: SealedRow): boolean {
  return (
    row.index === place.index &&
    row.event !== null &&
    row.previous.equals(place.hash) &&
    row.hash.equals(linkOf(place.hash, row.event.leaf, place.index))
  );
}

/** What was done to the log, told from a row that is not the link that belongs at `place`. */
export async function diagnose(source: ChainSource, place: Place, row: SealedRow): Promise<Fault> {
  const here = (kind: AuditFault, eventId: string | null = row.eventId): Fault => ({
    index: place.index,
    kind,
    eventId,
  });
  if (row.index !== place.index) return here("removed", null);
  if (row.event === null) return here("removed");
  if (!isAsRecorded(source.orgId, row)) return here("changed");
  if (row.previous.equals(place.hash)) return here(await kindOfEvent(source, place, row));
  // The link is whole, and only its copy of the hash before is not.
  if (row.hash.equals(linkOf(place.hash, row.event.leaf, place.index))) return here("changed");
  return misplaced(source, place, { row, leaf: row.event.leaf });
}

/** The seal is the right one, its event is not: which one is it? */
async function kindOfEvent(source: ChainSource, place: Place, row: SealedRow): Promise<AuditFault> {
  const rightful = await eventThatFits(source, place, row.hash);
  if (rightful === null) return "changed";
  return (await source.isSealed(rightful)) ? "reordered" : "inserted";
}

async function eventThatFits(source: ChainSource, place: Place, hash: Buffer): Promise<string | null> {
  for await (const piece of source.leaves()) {
    const found = piece.find(({ leaf }) => linkOf(place.hash, leaf, place.index).equals(hash));
    if (found) return found.id;
  }
  return null;
}

/** The seal follows another hash than the one before it: where does it belong, and where is the one that belongs here? */
async function misplaced(
  source: ChainSource,
  place: Place,
  { row, leaf }: { readonly row: SealedRow; readonly leaf: Buffer },
): Promise<Fault> {
  const { index, last } = place;
  const { size } = await source.ends();
  const belongsAt = await indexOf(row, leaf, size);
  if (belongsAt === null) return { index, kind: "inserted", eventId: row.eventId };
  if (last !== null && belongsAt === index - 1 && row.previous.equals(last.previous)) {
    return { index: index - 1, kind: "inserted", eventId: last.eventId };
  }
  if (last !== null && belongsAt === index) return { index: index - 1, kind: "changed", eventId: last.eventId };
  if (await source.hasSuccessor(place.hash, index)) return { index, kind: "reordered", eventId: row.eventId };
  return { index, kind: "removed", eventId: null };
}

const PAUSE_EVERY = 5_000;

/** The index that a seal's own hash was made for; null where it was made for none. */
async function indexOf(row: SealedRow, leaf: Buffer, size: number): Promise<number | null> {
  for (let index = 0; index <= size; index += 1) {
    if (linkOf(row.previous, leaf, index).equals(row.hash)) return index;
    // A long log: whoever else this process serves goes on.
    if (index % PAUSE_EVERY === 0) await setImmediate();
  }
  return null;
}
