import type { Scope } from "@/inngest/local/engine-context";
import { newId, seededId } from "@/inngest/local/ids";
import { LIMITS } from "@/inngest/local/limits";
import type { ReceivedEvent, SentEvent } from "@/inngest/local/model";
import type { Tx } from "@/inngest/local/store/database";
import { addEvent } from "@/inngest/local/store/events";
import { addItem } from "@/inngest/local/store/items";
import { isAwaited } from "@/inngest/local/store/pauses";

/** An event that cannot be taken. `status` is the HTTP status with which the SDK is answered. */
export class EventRefused extends Error {
  override readonly name = "EventRefused";
  readonly status: 400 | 413;

  constructor(status: 400 | 413, message: string) {
    super(message);
    this.status = status;
  }
}

/** Stores an event and queues its handling. */
async function enqueueEvent(tx: Tx, received: ReceivedEvent): Promise<void> {
  await addEvent(tx, received);
  const { internalId } = received;
  await addItem(tx, { id: `event:${internalId}`, runAt: tx.now, work: { kind: "event", internalId } });
}

function toReceived(sent: SentEvent, now: number, fallbackId: string | undefined): ReceivedEvent {
  if (sent.name.startsWith("inngest/")) throw new EventRefused(400, "event names under inngest/ are reserved");
  if ((sent.ts ?? 0) > now + LIMITS.waitMs) throw new EventRefused(400, "an event may be dated 366 days ahead at most");
  const internalId = newId(now);
  const { _inngest, ...data } = sent.data ?? {};
  const event = {
    ...(sent.v ? { v: sent.v } : {}),
    ...(sent.meta ? { meta: sent.meta } : {}),
    name: sent.name,
    id: sent.id || fallbackId || internalId,
    ts: sent.ts || now,
    user: sent.user ?? {},
    data,
  };
  if (Buffer.byteLength(JSON.stringify(event)) > LIMITS.eventBytes) {
    throw new EventRefused(413, `an event may have ${LIMITS.eventBytes} bytes at most`);
  }
  return { internalId, receivedAt: now, event };
}

/** Takes events from outside, all or none, and answers their ids. Throws EventRefused. */
export async function receiveEvents(tx: Tx, events: readonly SentEvent[], seed: string | null): Promise<string[]> {
  const received = events.map((sent, index) => toReceived(sent, tx.now, seededId(seed, index + 1)));
  for (const one of received) await enqueueEvent(tx, one);
  return received.map((one) => one.internalId);
}

function isTrigger(scope: Scope, name: string): boolean {
  return [...scope.engine.functions().values()].some((fn) => fn.events.some((trigger) => trigger.name === name));
}

/** Says what happened to a run, if anyone listens. `id` makes the event's id that of the run. */
export async function announce(scope: Scope, name: string, event: { id?: string; data: Record<string, unknown> }) {
  const { tx } = scope;
  if (!isTrigger(scope, name) && !(await isAwaited(tx, name))) return;
  const internalId = newId(tx.now);
  const document = { name, id: event.id ?? internalId, ts: tx.now, user: {}, data: event.data };
  await enqueueEvent(tx, { internalId, receivedAt: tx.now, event: document });
}
