import type { LeasedItem, NewItem } from "@/inngest/local/model";
import type { Tx } from "@/inngest/local/store/database";

/** Queues an item; one with the same id that is queued already stands. */
export async function addItem(tx: Tx, item: NewItem): Promise<void> {
  const limitKeys = item.limitKeys ?? [];
  await tx.run(
    `INSERT INTO inngest_local.items (id, kind, run_id, run_at, limit_keys, limits, payload)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [
      item.id,
      item.work.kind,
      item.runId ?? null,
      new Date(item.runAt),
      limitKeys.map((entry) => entry.key),
      limitKeys.map((entry) => entry.limit),
      JSON.stringify(item.work),
    ],
  );
}

type Held = Pick<LeasedItem, "id" | "lease">;

/** Whether this process still holds the item; if so it stays locked until the transaction ends. The fence. */
export async function holdItem(tx: Tx, item: Held): Promise<boolean> {
  const rows = await tx.query("SELECT 1 FROM inngest_local.items WHERE id = $1 AND lease = $2 FOR UPDATE", [
    item.id,
    item.lease,
  ]);
  return rows.length > 0;
}

/** Removes an item that is done. */
export async function removeItem(tx: Tx, item: Held): Promise<void> {
  await tx.run("DELETE FROM inngest_local.items WHERE id = $1 AND lease = $2", [item.id, item.lease]);
}

/** Gives an item back, to be claimed again at `runAt` (epoch ms) as the next attempt. */
export async function requeueItem(tx: Tx, item: Held & { attempt: number }, runAt: number): Promise<void> {
  await tx.run(
    `UPDATE inngest_local.items SET run_at = $3, attempt = $4, lapses = 0, lease = NULL, lease_until = NULL
     WHERE id = $1 AND lease = $2`,
    [item.id, item.lease, new Date(runAt), item.attempt + 1],
  );
}

/** Extends the leases of the items that this process still holds, and answers their ids. */
export async function extendLeases(tx: Tx, items: readonly Held[], leaseMs: number): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `UPDATE inngest_local.items AS i SET lease_until = $3
     FROM unnest($1::text[], $2::text[]) AS held (id, lease) WHERE i.id = held.id AND i.lease = held.lease
     RETURNING i.id`,
    [items.map((item) => item.id), items.map((item) => item.lease), new Date(tx.now + leaseMs)],
  );
  return new Set(rows.map((row) => row.id));
}

/** When the next item is due, in epoch ms; undefined when nothing is queued. */
export async function nextDue(tx: Tx): Promise<number | undefined> {
  const [row] = await tx.query<{ at: Date | null }>(
    "SELECT min(greatest(run_at, lease_until)) AS at FROM inngest_local.items",
  );
  return row?.at?.getTime();
}

/** For how long the oldest due item that nobody holds has been waiting, in ms; 0 when none does. */
export async function oldestWaitMs(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ at: Date | null }>(
    "SELECT min(run_at) AS at FROM inngest_local.items WHERE run_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)",
    [new Date(tx.now)],
  );
  return row?.at ? Math.max(0, tx.now - row.at.getTime()) : 0;
}
