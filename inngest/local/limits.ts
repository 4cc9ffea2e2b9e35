/** Inngest's own limits, kept here too: what works on one machine must go on working when Inngest runs it. */
export const LIMITS = {
  eventBytes: 256 * 1024,
  eventsPerRequest: 5_000,
  eventNameLength: 512,
  eventIdLength: 512,
  requestBytes: 16 * 1024 * 1024,
  stepBytes: 4 * 1024 * 1024,
  stateBytes: 32 * 1024 * 1024,
  stepsPerRun: 1_000,
  stepMs: 2 * 3_600_000,
  waitMs: 366 * 86_400_000,
  retries: 20,
  cancellations: 5,
  triggers: 10,
  concurrencyLimits: 2,
  expressionLength: 2_000,
  expressionDepth: 10,
} as const;

/** How often a process may die holding an item before the item is given up: a step that kills its process must end. */
export const MAX_LAPSES = 10;

/** How long one event id starts at most one run of a function, in ms. */
export const EVENT_ID_MS = 86_400_000;
