import { deadline } from "@/inngest/local/duration";
import type { Scope } from "@/inngest/local/engine-context";
import { matchValue } from "@/inngest/local/expression/evaluate";
import { mentionsAsync, parseCondition } from "@/inngest/local/expression/parse";
import { unsupportedExpression } from "@/inngest/local/expression/tokens";
import { unsupported } from "@/inngest/local/failure";
import { newId } from "@/inngest/local/ids";
import type { Run } from "@/inngest/local/model";
import { completeStep, finishRun } from "@/inngest/local/runs/lifecycle";
import { scheduleRun } from "@/inngest/local/runs/schedule";
import { isRace, type Operation } from "@/inngest/local/sdk/operations";
import { addItem } from "@/inngest/local/store/items";
import { addPause } from "@/inngest/local/store/pauses";
import { hasStep } from "@/inngest/local/store/runs";

type Reported = { readonly run: Run; readonly operation: Operation };

const complete = (scope: Scope, { run, operation }: Reported, value: unknown): Promise<void> =>
  completeStep(scope, { run, stepId: operation.id, value, isRace: isRace(operation) });

/** Queues a call of the function, limited by the run's concurrency keys. */
async function discover({ tx }: Scope, { run, operation }: Reported): Promise<void> {
  const { limitKeys } = run.state;
  const id = `${run.id}:${operation.id}`;
  await addItem(tx, { id, runId: run.id, runAt: tx.now, work: { kind: "discovery" }, limitKeys });
}

async function plan({ tx }: Scope, { run, operation }: Reported): Promise<void> {
  const { limitKeys } = run.state;
  const work = { kind: "step" as const, stepId: operation.id };
  await addItem(tx, { id: `${run.id}:${operation.id}:plan`, runId: run.id, runAt: tx.now, work, limitKeys });
}

async function sleep({ tx }: Scope, { run, operation }: Reported): Promise<void> {
  const runAt = deadline(operation.opts?.duration || operation.name || "", tx.now);
  const work = { kind: "sleep" as const, stepId: operation.id, isRace: isRace(operation) };
  await addItem(tx, { id: `${run.id}:${operation.id}:sleep`, runId: run.id, runAt, work });
}

/** A pause that ends by itself at `expires`. False if it was there already. */
async function pauseUntil(
  { tx }: Scope,
  { run, operation }: Reported,
  wait: {
    kind: "wait" | "invoke";
    event: string;
    expires: number;
    condition?: string;
    matchValue?: string | undefined;
  },
): Promise<boolean> {
  const { matchValue: value, ...rest } = wait;
  const id = `${run.id}:${operation.id}`;
  const step = { stepId: operation.id, isRace: isRace(operation) };
  if (!(await addPause(tx, { id, runId: run.id, createdAt: tx.now, ...step, ...rest }, value))) return false;
  const work = { kind: "timeout" as const, pauseId: id };
  await addItem(tx, { id: `${id}:timeout`, runId: run.id, runAt: wait.expires, work });
  return true;
}

async function waitForEvent(scope: Scope, reported: Reported): Promise<void> {
  const { run, operation } = reported;
  const event = operation.opts?.event ?? operation.name ?? "";
  if (!event || event.includes("*")) throw unsupported("waiting for anything but one event name");
  const expires = deadline(operation.opts?.timeout, scope.tx.now);
  const condition = operation.opts?.if;
  if (!condition) {
    await pauseUntil(scope, reported, { kind: "wait", event, expires });
    return;
  }
  const parsed = parseCondition(condition);
  if (!mentionsAsync(parsed)) throw unsupportedExpression("the condition of a wait must look at async");
  const value = matchValue(parsed, run.event);
  await pauseUntil(scope, reported, { kind: "wait", event, expires, condition, matchValue: value });
}

async function invoke(scope: Scope, reported: Reported): Promise<void> {
  const { engine, tx } = scope;
  const { run, operation } = reported;
  const { function_id: functionId = "", payload, timeout } = operation.opts ?? {};
  const target = engine.functions().get(functionId);
  if (!target) {
    await complete(scope, reported, {
      error: { name: "Error", message: `could not find function with ID: ${functionId}` },
    });
    return;
  }
  const pauseId = `${run.id}:${operation.id}`;
  const expires = deadline(timeout || "366d", tx.now);
  if (!(await pauseUntil(scope, reported, { kind: "invoke", event: `invoke:${pauseId}`, expires }))) return;
  const data = { ...payload?.data, _inngest: { fn_id: target.id, correlation_id: pauseId } };
  const event = { ...payload, id: newId(tx.now), name: "inngest/function.invoked", ts: tx.now, user: {}, data };
  await scheduleRun(scope, target, event);
}

const OUTSTANDING: Readonly<Record<string, (scope: Scope, reported: Reported) => Promise<void>>> = {
  StepPlanned: plan,
  Sleep: sleep,
  WaitForEvent: waitForEvent,
  InvokeFunction: invoke,
};

/**
 * Does what one operation asks for. All of it is idempotent by run and step, since the SDK reports what is outstanding
 * again at every discovery. Throws RunFailure for what the engine lacks.
 */
export async function operate(scope: Scope, reported: Reported): Promise<void> {
  const { run, operation } = reported;
  switch (operation.op) {
    case "StepRun":
      return complete(scope, reported, { data: operation.data ?? null });
    case "StepError":
    case "StepFailed":
      return complete(scope, reported, { error: operation.error ?? null });
    case "RunComplete":
      return finishRun(scope, run, { status: "completed", result: operation.data ?? null });
    case "DiscoveryRequest":
      return discover(scope, reported);
    default: {
      const begin = OUTSTANDING[operation.op];
      if (!begin) throw unsupported(`operation ${operation.op}`);
      if (!(await hasStep(scope.tx, run.id, operation.id))) await begin(scope, reported);
    }
  }
}
