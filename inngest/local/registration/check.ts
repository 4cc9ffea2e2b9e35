import { z } from "zod";
import { deadline } from "@/inngest/local/duration";
import { type Condition, type Operand, parseCondition, parseKey } from "@/inngest/local/expression/parse";
import { LIMITS } from "@/inngest/local/limits";
import { type FunctionConfig, functionConfigSchema, KNOWN_OPTIONS } from "@/inngest/local/registration/config";
import { nextFiring } from "@/inngest/local/registration/cron";

type EventTrigger = { readonly name: string; readonly condition: Condition | undefined };
type Cancellation = { readonly event: string; readonly condition: string | undefined; readonly timeout: string };
type Limit = { readonly limit: number; readonly key: readonly Operand[] | undefined };

/** A function as the engine runs it. */
export type LocalFunction = {
  readonly id: string;
  readonly maxAttempts: number;
  readonly events: readonly EventTrigger[];
  readonly schedules: readonly string[];
  readonly cancellations: readonly Cancellation[];
  readonly limits: readonly Limit[];
};

/** Every reason why the functions cannot run here as they would on Inngest. Stops the boot. */
export class UnsupportedFunctions extends Error {
  override readonly name = "UnsupportedFunctions";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The local engine cannot run these functions as Inngest would:\n- ${problems.join("\n- ")}`);
    this.problems = problems;
  }
}

type Report = (problem: string) => void;

/** What `read` answers, or undefined after reporting why it threw. */
function attempt<T>(report: Report, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    report(error instanceof Error ? error.message : "malformed");
    return undefined;
  }
}

const DEFAULT_RETRIES = 4;

function readRetries(config: FunctionConfig, report: Report): number {
  const retries = config.steps.step.retries?.attempts ?? DEFAULT_RETRIES;
  if (!Number.isInteger(retries) || retries < 0 || retries > LIMITS.retries) {
    report(`${retries} retries; from 0 to ${LIMITS.retries} are possible`);
  }
  return retries;
}

function readEventTrigger(trigger: { event: string; expression?: string | undefined }, report: Report): EventTrigger {
  const { event, expression } = trigger;
  if (event.includes("*")) report(`wildcard trigger "${event}" is not supported by the local engine`);
  if (event.length > LIMITS.eventNameLength) report("the name of an event is too long");
  const condition = expression ? attempt(report, () => parseCondition(expression, ["event"])) : undefined;
  return { name: event, condition };
}

function readTriggers(config: FunctionConfig, report: Report): Pick<LocalFunction, "events" | "schedules"> {
  if (config.triggers.length > LIMITS.triggers) report(`more than ${LIMITS.triggers} triggers`);
  const events: EventTrigger[] = [];
  const schedules: string[] = [];
  for (const trigger of config.triggers) {
    if ("event" in trigger) {
      events.push(readEventTrigger(trigger, report));
      continue;
    }
    if (trigger.jitter) report("cron jitter is not supported by the local engine");
    attempt(report, () => nextFiring(trigger.cron, 0));
    schedules.push(trigger.cron);
  }
  return { events, schedules };
}

function readCancellations(config: FunctionConfig, report: Report): Cancellation[] {
  const list = config.cancel ?? [];
  if (list.length > LIMITS.cancellations) report(`more than ${LIMITS.cancellations} cancelOn`);
  return list.map(({ event, if: condition, timeout = "366d" }) => {
    if (event.includes("*")) report(`wildcard cancelOn "${event}" is not supported by the local engine`);
    if (condition) attempt(report, () => parseCondition(condition));
    attempt(report, () => deadline(timeout, Date.now()));
    return { event, condition, timeout };
  });
}

function readLimits(config: FunctionConfig, report: Report): Limit[] {
  const { concurrency = [] } = config;
  const list = typeof concurrency === "number" ? [{ limit: concurrency }] : [concurrency].flat();
  if (list.length > LIMITS.concurrencyLimits) report(`more than ${LIMITS.concurrencyLimits} concurrency limits`);
  return list.map(
    ({ limit, key, scope = "fn" }: { limit: number; key?: string | undefined; scope?: string | undefined }) => {
      if (scope !== "fn") report(`concurrency scope "${scope}" is not supported by the local engine`);
      if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
        report("a concurrency limit must be from 1 to 10000");
      return { limit, key: key ? attempt(report, () => parseKey(key)) : undefined };
    },
  );
}

function readFunction(raw: { id: string }, report: Report): LocalFunction | undefined {
  const unknown = Object.keys(raw).filter((option) => !KNOWN_OPTIONS.has(option));
  for (const option of unknown) report(`option ${option} is not supported by the local engine`);
  const parsed = functionConfigSchema.safeParse(raw);
  if (!parsed.success) {
    report(`not a configuration that the local engine knows: ${z.prettifyError(parsed.error)}`);
    return undefined;
  }
  const config = parsed.data;
  return {
    id: config.id,
    maxAttempts: readRetries(config, report) + 1,
    ...readTriggers(config, report),
    cancellations: readCancellations(config, report),
    limits: readLimits(config, report),
  };
}

/** The functions by id. Throws UnsupportedFunctions naming every problem of every function. */
export function readFunctions(configs: readonly { id: string }[]): ReadonlyMap<string, LocalFunction> {
  const problems: string[] = [];
  const functions = new Map<string, LocalFunction>();
  for (const config of configs) {
    const read = readFunction(config, (problem) => problems.push(`${config.id}: ${problem}`));
    if (read) functions.set(read.id, read);
  }
  if (problems.length > 0) throw new UnsupportedFunctions(problems);
  return functions;
}
