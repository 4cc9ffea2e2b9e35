import { randomUUID } from "node:crypto";
import { type LeasedItem, workSchema } from "@/inngest/local/model";
import type { Tx } from "@/inngest/local/store/database";

/** Held while claiming, so that concurrency counts are exact however many engines share the database. */
const CLAIM_LOCK = 7_283_645_190;

type Row = {
  id: string;
  kind: string;
  run_id: string | null;
  attempt: number;
  lapses: number;
  limit_keys: string[];
  limits: number[];
  payload: string;
  lease: string | null;
};
type Leased = Pick<Row, "kind" | "run_id" | "limit_keys" | "limits">;

/** What executes now: how many items per key, and which runs are being discovered. */
type Occupancy = { readonly used: Map<string, number>; readonly full: Set<string>; readonly discovering: Set<string> };

function occupy(occupancy: Occupancy, item: Leased): void {
  if (item.kind === "discovery" && item.run_id) occupancy.discovering.add(item.run_id);
  for (const [index, key] of item.limit_keys.entries()) {
    const used = (occupancy.used.get(key) ?? 0) + 1;
    occupancy.used.set(key, used);
    if (used >= (item.limits[index] ?? 1)) occupancy.full.add(key);
  }
}

function hasRoom(occupancy: Occupancy, item: Leased): boolean {
  if (item.kind === "discovery" && item.run_id && occupancy.discovering.has(item.run_id)) return false;
  return item.limit_keys.every((key, index) => (occupancy.used.get(key) ?? 0) < (item.limits[index] ?? 1));
}

async function occupancyNow(tx: Tx, now: Date): Promise<Occupancy> {
  const occupancy: Occupancy = { used: new Map(), full: new Set(), discovering: new Set() };
  const leased = await tx.query<Leased>(
    "SELECT kind, run_id, limit_keys, limits FROM inngest_local.items WHERE lease IS NOT NULL AND lease_until > $1",
    [now],
  );
  for (const item of leased) occupy(occupancy, item);
  return occupancy;
}

/** Items of a full key or a run under discovery are left out in SQL, so that they cannot starve the others. */
async function dueItems(tx: Tx, now: Date, occupancy: Occupancy, max: number): Promise<Row[]> {
  return await tx.query<Row>(
    `SELECT id, kind, run_id, attempt, lapses, limit_keys, limits, payload, lease FROM inngest_local.items
     WHERE run_at <= $1 AND (lease_until IS NULL OR lease_until <= $1) AND NOT limit_keys && $2::text[]
       AND NOT (kind = 'discovery' AND run_id = ANY ($3::text[]))
     ORDER BY run_at, id LIMIT $4 FOR UPDATE SKIP LOCKED`,
    [now, [...occupancy.full], [...occupancy.discovering], max],
  );
}

const toItem = (row: Row): LeasedItem => ({
  id: row.id,
  runId: row.run_id,
  work: workSchema.parse(JSON.parse(row.payload)),
  attempt: row.attempt,
  lapses: row.lapses + (row.lease === null ? 0 : 1),
  lease: randomUUID(),
});

/**
 * Leases up to `max` due items for `leaseMs`: one discovery per run at a time, and never more items per key than its
 * limit. An item whose lease ran out is due again, since whoever held it is taken to be dead.
 */
export async function claimItems(tx: Tx, options: { max: number; leaseMs: number }): Promise<LeasedItem[]> {
  await tx.query("SELECT pg_advisory_xact_lock($1)", [CLAIM_LOCK]);
  const now = new Date(tx.now);
  const occupancy = await occupancyNow(tx, now);
  const claimed: LeasedItem[] = [];
  for (const row of await dueItems(tx, now, occupancy, options.max * 4)) {
    if (claimed.length === options.max) break;
    if (!hasRoom(occupancy, row)) continue;
    occupy(occupancy, row);
    claimed.push(toItem(row));
  }
  if (claimed.length === 0) return claimed;
  await tx.run(
    `UPDATE inngest_local.items AS i SET lease = c.lease, lapses = c.lapses, lease_until = $4
     FROM unnest($1::text[], $2::text[], $3::int[]) AS c (id, lease, lapses) WHERE i.id = c.id`,
    [
      claimed.map((item) => item.id),
      claimed.map((item) => item.lease),
      claimed.map((item) => item.lapses),
      new Date(tx.now + options.leaseMs),
    ],
  );
  return claimed;
}
