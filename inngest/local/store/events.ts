import { EVENT_ID_MS } from "@/inngest/local/limits";
import { eventSchema, type ReceivedEvent } from "@/inngest/local/model";
import type { Tx } from "@/inngest/local/store/database";

/** Stores an event. */
export async function addEvent(tx: Tx, received: ReceivedEvent): Promise<void> {
  await tx.run("INSERT INTO inngest_local.events (internal_id, name, document, received_at) VALUES ($1, $2, $3, $4)", [
    received.internalId,
    received.event.name,
    JSON.stringify(received.event),
    new Date(received.receivedAt),
  ]);
}

/** The stored event, or undefined when it was pruned. */
export async function getEvent(tx: Tx, internalId: string): Promise<ReceivedEvent | undefined> {
  const [row] = await tx.query<{ document: string; received_at: Date }>(
    "SELECT document, received_at FROM inngest_local.events WHERE internal_id = $1",
    [internalId],
  );
  if (!row) return undefined;
  return { internalId, receivedAt: row.received_at.getTime(), event: eventSchema.parse(JSON.parse(row.document)) };
}

/** Whether this event id may start a run of this function: the first one in a day may. */
export async function claimEventId(tx: Tx, key: { functionId: string; eventId: string; runId: string }) {
  const claimed = await tx.run(
    `INSERT INTO inngest_local.keys AS k (function_id, key, run_id, claimed_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (function_id, key) DO UPDATE SET run_id = excluded.run_id, claimed_at = excluded.claimed_at
     WHERE k.claimed_at <= $5`,
    [key.functionId, key.eventId, key.runId, new Date(tx.now), new Date(tx.now - EVENT_ID_MS)],
  );
  return claimed > 0;
}
