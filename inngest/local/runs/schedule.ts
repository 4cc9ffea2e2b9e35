import { createHash } from "node:crypto";
import { deadline } from "@/inngest/local/duration";
import type { Scope } from "@/inngest/local/engine-context";
import { keyText } from "@/inngest/local/expression/evaluate";
import { matchValueOf } from "@/inngest/local/expression/narrow";
import { newId } from "@/inngest/local/ids";
import type { EventDocument, LimitKey, Run } from "@/inngest/local/model";
import type { LocalFunction } from "@/inngest/local/registration/check";
import type { Tx } from "@/inngest/local/store/database";
import { claimEventId } from "@/inngest/local/store/events";
import { addItem } from "@/inngest/local/store/items";
import { addPause } from "@/inngest/local/store/pauses";
import { addRun } from "@/inngest/local/store/runs";

/** Event times come from the sender's clock: less than this ahead is a difference of clocks, not a wish. */
const CLOCK_SLACK_MS = 60_000;

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** Keys are evaluated once, when the run is made, as on Inngest. */
const limitKeysOf = (fn: LocalFunction, event: EventDocument): LimitKey[] =>
  fn.limits.map(({ limit, key }, index) => ({
    key: `${fn.id}|${index}|${key ? digest(keyText(key, event)) : ""}`,
    limit,
  }));

async function addCancellations(tx: Tx, fn: LocalFunction, run: Run): Promise<void> {
  for (const [index, { event, condition, timeout }] of fn.cancellations.entries()) {
    const pause = {
      kind: "cancel" as const,
      id: `${run.id}:cancel:${index}`,
      runId: run.id,
      event,
      createdAt: tx.now,
      expires: deadline(timeout, tx.now),
      ...(condition ? { condition } : {}),
    };
    await addPause(tx, pause, matchValueOf(condition, run.event));
  }
}

/**
 * Starts a run of a function for an event, unless this event id has started one in the last day. An event that is
 * dated in the future starts it then.
 */
export async function scheduleRun({ tx }: Scope, fn: LocalFunction, event: EventDocument, id = newId(tx.now)) {
  if (!(await claimEventId(tx, { functionId: fn.id, eventId: event.id, runId: id }))) return;
  const limitKeys = limitKeysOf(fn, event);
  const state = { pending: [], forcePlan: false, version: -1, limitKeys, bytes: 0, steps: 0 };
  const run: Run = { id, functionId: fn.id, status: "running", event, state };
  await addRun(tx, run);
  await addCancellations(tx, fn, run);
  const runAt = event.ts > tx.now + CLOCK_SLACK_MS ? event.ts : tx.now;
  await addItem(tx, { id: `${id}:start`, runId: id, runAt, work: { kind: "discovery" }, limitKeys });
}
