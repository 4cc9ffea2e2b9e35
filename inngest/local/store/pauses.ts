import { type EventDocument, eventSchema, type Pause, pauseSchema } from "@/inngest/local/model";
import type { Tx } from "@/inngest/local/store/database";

/** Stores a pause. False if it is there already: the SDK reports a wait again at every discovery. */
export async function addPause(tx: Tx, pause: Pause, matchValue?: string): Promise<boolean> {
  const added = await tx.run(
    `INSERT INTO inngest_local.pauses (id, kind, run_id, event, match_value, document) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT DO NOTHING`,
    [pause.id, pause.kind, pause.runId, pause.event, matchValue ?? null, JSON.stringify(pause)],
  );
  return added > 0;
}

/** Consumes a pause. Undefined if someone else has: an event and its time-out cannot both win. */
export async function takePause(tx: Tx, id: string): Promise<Pause | undefined> {
  const [row] = await tx.query<{ document: string }>(
    "DELETE FROM inngest_local.pauses WHERE id = $1 RETURNING document",
    [id],
  );
  return row && pauseSchema.parse(JSON.parse(row.document));
}

export type Candidate = { readonly pause: Pause; readonly trigger: EventDocument };

/**
 * The pauses that an event of this name may concern, with the event that started each run, in the order in which
 * their runs must be locked. `values` are the scalars of the event; without them every pause is a candidate.
 */
export async function pausesFor(tx: Tx, event: string, values: readonly string[] | undefined): Promise<Candidate[]> {
  const rows = await tx.query<{ document: string; event: string }>(
    `SELECT p.document, r.event FROM inngest_local.pauses p JOIN inngest_local.runs r ON r.id = p.run_id
     WHERE p.event = $1 AND ($2::text[] IS NULL OR p.match_value IS NULL OR p.match_value = ANY ($2::text[]))
     ORDER BY p.run_id, p.id`,
    [event, values ?? null],
  );
  return rows.map((row) => ({
    pause: pauseSchema.parse(JSON.parse(row.document)),
    trigger: eventSchema.parse(JSON.parse(row.event)),
  }));
}

/** Whether any run waits for an event of this name. */
export async function isAwaited(tx: Tx, event: string): Promise<boolean> {
  const rows = await tx.query("SELECT 1 FROM inngest_local.pauses WHERE event = $1 LIMIT 1", [event]);
  return rows.length > 0;
}
