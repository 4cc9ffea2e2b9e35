import { z } from "zod";
import { LIMITS } from "@/inngest/local/limits";

const json = z.record(z.string(), z.unknown());
/** The database takes no NUL in a text, and nobody needs control characters in a name. */
const printable = /^[^\p{Cc}]*$/u;

/** An event as the SDK sends it. Fields that Inngest does not know are dropped. */
export const sentEventSchema = z.object({
  name: z.string().min(1).max(LIMITS.eventNameLength).regex(printable),
  data: json.nullish(),
  id: z.string().max(LIMITS.eventIdLength).regex(printable).nullish(),
  ts: z.number().int().nonnegative().max(8.64e15).nullish(),
  user: json.nullish(),
  v: z.string().max(100).nullish(),
  meta: json.nullish(),
});
export type SentEvent = z.infer<typeof sentEventSchema>;

/** An event as functions see it. */
export const eventSchema = z.looseObject({
  name: z.string(),
  id: z.string(),
  ts: z.number(),
  data: json,
});
export type EventDocument = z.infer<typeof eventSchema>;

/** An event with the id under which this engine received it, and when (epoch ms). */
export type ReceivedEvent = { readonly internalId: string; readonly receivedAt: number; readonly event: EventDocument };

/** At most `limit` items that carry the same key execute at once. */
const limitKeySchema = z.object({ key: z.string(), limit: z.number() });
export type LimitKey = z.infer<typeof limitKeySchema>;

export type RunStatus = "running" | "completed" | "failed" | "cancelled";

/**
 * `pending` holds the parallel steps that are still out; `forcePlan` asks the SDK to report steps rather than run them;
 * `version` is what the SDK chose at its first answer, -1 before.
 */
export const runStateSchema = z.object({
  pending: z.array(z.string()),
  forcePlan: z.boolean(),
  version: z.number(),
  limitKeys: z.array(limitKeySchema),
  bytes: z.number(),
  steps: z.number(),
});
type RunState = z.infer<typeof runStateSchema>;

export type Run = {
  readonly id: string;
  readonly functionId: string;
  readonly event: EventDocument;
  status: RunStatus;
  state: RunState;
};

export const workSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("discovery") }),
  z.object({ kind: z.literal("step"), stepId: z.string() }),
  z.object({ kind: z.literal("sleep"), stepId: z.string(), isRace: z.boolean() }),
  z.object({ kind: z.literal("timeout"), pauseId: z.string() }),
  z.object({ kind: z.literal("event"), internalId: z.string() }),
  z.object({ kind: z.literal("cron"), functionId: z.string(), schedule: z.string(), at: z.number() }),
]);
export type Work = z.infer<typeof workSchema>;

/** Something that is due at some time. `runAt` is epoch ms. */
export type NewItem = {
  readonly id: string;
  readonly runId?: string;
  readonly runAt: number;
  readonly work: Work;
  readonly limitKeys?: readonly LimitKey[];
};

/** An item that this process holds. Whatever follows from it is void once `lease` is no longer its own. */
export type LeasedItem = {
  readonly id: string;
  readonly runId: string | null;
  readonly work: Work;
  readonly attempt: number;
  readonly lapses: number;
  readonly lease: string;
};

const pauseBody = {
  id: z.string(),
  runId: z.string(),
  event: z.string(),
  createdAt: z.number(),
  expires: z.number(),
  condition: z.string().optional(),
};
const step = { stepId: z.string(), isRace: z.boolean() };

/** A run that waits for an event, may be cancelled by one, or waits for a run that it invoked. */
export const pauseSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("wait"), ...pauseBody, ...step }),
  z.object({ kind: z.literal("invoke"), ...pauseBody, ...step }),
  z.object({ kind: z.literal("cancel"), ...pauseBody }),
]);
export type Pause = z.infer<typeof pauseSchema>;
