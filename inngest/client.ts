import { eventType, Inngest } from "inngest";
import { z } from "zod";
import { RedactErrors } from "@/inngest/redact-errors";
import { idOf } from "@/server/domain/ids";
import { env } from "@/server/env";
import { errorFields, log } from "@/server/log";

/**
 * Events carry ids and nothing else: the rows are the truth, an event only says where to look. One that is lost,
 * doubled or late changes nothing about what may run.
 */
const organizationId = idOf("organization");
const requestRef = z.strictObject({ organizationId, requestId: idOf("toolRequest") });
const approvalRef = z.strictObject({ organizationId, requestId: idOf("toolRequest"), approvalId: idOf("approval") });

export const requestReady = eventType("request/ready", { schema: requestRef });
export const requestScheduled = eventType("request/scheduled", { schema: requestRef });
export const approvalRequested = eventType("approval/requested", { schema: approvalRef });
/** Its life goes on in another run: one run has so many steps. */
export const approvalWaits = eventType("approval/waits", { schema: approvalRef });
export const approvalDecided = eventType("approval/decided", { schema: approvalRef });
export const controlActivated = eventType("control/activated", { schema: z.strictObject({ organizationId }) });

/** Shared by every copy of this module in the process: Next bundles its own. */
const ENGINE = Symbol.for("countersign.inngest.engine");
type Holder = { [ENGINE]?: typeof fetch | undefined };

/** Lets the client of this process talk to the engine of this machine; undefined ends that. */
export function connectLocalEngine(engine: typeof fetch | undefined): void {
  (globalThis as Holder)[ENGINE] = engine;
}

const localEngine = (): typeof fetch | undefined => (globalThis as Holder)[ENGINE];

/** Whether an event sent now would reach anything. */
export const isInngestConnected = (): boolean => env().INNGEST_ENGINE === "remote" || localEngine() !== undefined;

/** Decided at each call, since functions are made when their modules load and the engine starts later. */
const route: typeof fetch = async (input, init) => {
  if (env().INNGEST_ENGINE === "remote") return globalThis.fetch(input, init);
  const error = "the local Inngest engine is not running";
  return localEngine()?.(input, init) ?? Response.json({ ids: [], status: 503, error }, { status: 503 });
};

/** Errors that RedactErrors has logged, with where they came from. */
const KNOWN = new Set(["Inngest step error", "Inngest function error"]);

/** The SDK logs errors with their messages, which may quote content: only names and frames pass. */
const quiet = (level: "debug" | "info" | "warn" | "error") => (first?: unknown, second?: unknown) => {
  const error = first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err;
  const message = [first, second].find((part) => typeof part === "string") ?? "event";
  log[KNOWN.has(message) ? "debug" : level](
    error === undefined ? {} : errorFields(error),
    `inngest: ${message.slice(0, 200)}`,
  );
};
const logger = { debug: quiet("debug"), info: quiet("info"), warn: quiet("warn"), error: quiet("error") };

/** Always signed: dev mode would let anyone who reaches the handler run any function with any result. */
export const inngest = new Inngest({
  id: "countersign",
  isDev: false,
  aiMetadata: false,
  fetch: route,
  logger,
  middleware: [RedactErrors],
});
