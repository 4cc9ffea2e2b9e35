import { EVENT_ID_MS } from "@/inngest/local/limits";
import type { Tx } from "@/inngest/local/store/database";

/** One process at a time prunes. */
const PRUNE_LOCK = 7_283_645_191;
const BATCH = 1_000;

const STATEMENTS = {
  keys: `DELETE FROM inngest_local.keys WHERE (function_id, key) IN
    (SELECT function_id, key FROM inngest_local.keys WHERE claimed_at <= $1 LIMIT ${BATCH})`,
  runs: `DELETE FROM inngest_local.runs WHERE id IN
    (SELECT id FROM inngest_local.runs WHERE ended_at <= $1 LIMIT ${BATCH})`,
  events: `DELETE FROM inngest_local.events WHERE internal_id IN
    (SELECT e.internal_id FROM inngest_local.events e WHERE e.received_at <= $1
     AND NOT EXISTS (SELECT 1 FROM inngest_local.items i WHERE i.id = 'event:' || e.internal_id) LIMIT ${BATCH})`,
} as const;

/**
 * Deletes a batch of what is past its time: keys after a day, ended runs with their steps and handled events after
 * `retentionMs`. Answers how many rows went; 0 also when another process is at it.
 */
export async function pruneBatch(tx: Tx, retentionMs: number): Promise<number> {
  const [lock] = await tx.query<{ locked: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS locked", [PRUNE_LOCK]);
  if (!lock?.locked) return 0;
  const before = new Date(tx.now - retentionMs);
  const keys = await tx.run(STATEMENTS.keys, [new Date(tx.now - EVENT_ID_MS)]);
  const runs = await tx.run(STATEMENTS.runs, [before]);
  return keys + runs + (await tx.run(STATEMENTS.events, [before]));
}
