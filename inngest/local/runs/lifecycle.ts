import type { Scope } from "@/inngest/local/engine-context";
import { announce } from "@/inngest/local/events";
import { type RunError, RunFailure, runError } from "@/inngest/local/failure";
import { LIMITS } from "@/inngest/local/limits";
import type { Run } from "@/inngest/local/model";
import { addItem } from "@/inngest/local/store/items";
import { takePause } from "@/inngest/local/store/pauses";
import { endRun, lockRunning, saveState, saveStep } from "@/inngest/local/store/runs";

export type Outcome =
  | { readonly status: "completed"; readonly result: unknown }
  | { readonly status: "failed"; readonly error: RunError }
  | { readonly status: "cancelled" };

const OUTCOME_NAME = { completed: "Completed", failed: "Failed", cancelled: "Cancelled" } as const;
/** Runs that were started by the end of another run are not announced themselves. */
const ABOUT_A_RUN = /^inngest\/function\.(?:failed|finished|cancelled)$/;

export type StepResult = {
  readonly run: Run;
  readonly stepId: string;
  /** What the SDK finds in its place: `{data}`, `{error}`, null or an event. */
  readonly value: unknown;
  readonly isRace: boolean;
};

async function memoize({ tx }: Scope, { run, stepId, value }: StepResult): Promise<void> {
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  if (bytes > LIMITS.stepBytes) {
    throw new RunFailure("output_too_large", `the output of a step may have ${LIMITS.stepBytes} bytes at most`);
  }
  if (!(await saveStep(tx, { runId: run.id, stepId, value: text }))) return;
  const { state } = run;
  run.state = { ...state, bytes: state.bytes + bytes, steps: state.steps + 1 };
  if (run.state.bytes > LIMITS.stateBytes || run.state.steps > LIMITS.stepsPerRun) {
    throw new RunFailure("InngestErrFunctionOverflowed", "the run has more steps or more state than Inngest allows");
  }
}

/** Memoizes a step without going on: what a checkpoint does. Throws RunFailure beyond the limits. */
export async function checkpointStep(scope: Scope, step: StepResult): Promise<void> {
  await memoize(scope, step);
  await saveState(scope.tx, step.run);
}

async function advance(scope: Scope, step: StepResult): Promise<void> {
  const { tx } = scope;
  const { run, stepId, isRace } = step;
  await memoize(scope, step);
  const pending = run.state.pending.filter((id) => id !== stepId);
  const isAlone = pending.length === 0;
  // Only once no sibling is out: going back to running steps at once would run those of a race twice.
  run.state = { ...run.state, pending, forcePlan: run.state.forcePlan && !(run.state.version >= 2 && isAlone) };
  await saveState(tx, run);
  if (!isRace && !isAlone) return;
  const { limitKeys } = run.state;
  const id = `${run.id}:after:${stepId}`;
  await addItem(tx, { id, runId: run.id, runAt: tx.now, work: { kind: "discovery" }, limitKeys });
}

/**
 * Memoizes a step and, unless parallel siblings are still out, has the function called again. A step that was
 * memoized before keeps its value, and the run goes on all the same. Fails the run beyond the limits.
 */
export async function completeStep(scope: Scope, step: StepResult): Promise<void> {
  try {
    await advance(scope, step);
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    await finishRun(scope, step.run, { status: "failed", error: runError(error) });
  }
}

function answerToParent(outcome: Outcome): unknown {
  if (outcome.status === "completed") return { data: outcome.result ?? null };
  return { error: outcome.status === "failed" ? outcome.error : runError({ message: "function cancelled" }) };
}

function correlationOf(run: Run): string | undefined {
  const marks = run.event.data._inngest;
  if (run.event.name !== "inngest/function.invoked" || typeof marks !== "object" || marks === null) return undefined;
  return "correlation_id" in marks && typeof marks.correlation_id === "string" ? marks.correlation_id : undefined;
}

async function resumeParent(scope: Scope, pauseId: string, outcome: Outcome): Promise<void> {
  const pause = await takePause(scope.tx, pauseId);
  if (pause?.kind !== "invoke") return;
  const run = await lockRunning(scope.tx, pause.runId);
  if (!run) return;
  await completeStep(scope, { run, stepId: pause.stepId, value: answerToParent(outcome), isRace: pause.isRace });
}

async function announceEnd(scope: Scope, run: Run, outcome: Outcome): Promise<void> {
  const { status, ...output } = outcome;
  const data = {
    function_id: run.functionId,
    run_id: run.id,
    event: run.event,
    events: [run.event],
    ...output,
    _inngest: { status: OUTCOME_NAME[status] },
  };
  await announce(scope, "inngest/function.finished", { data });
  if (status === "failed") await announce(scope, "inngest/function.failed", { id: run.id, data });
  if (status === "cancelled") await announce(scope, "inngest/function.cancelled", { id: run.id, data });
}

/** Ends a run once, resumes whoever invoked it, and says so to whoever listens. */
export async function finishRun(scope: Scope, run: Run, outcome: Outcome): Promise<void> {
  if (run.status !== "running") return;
  const { status, ...output } = outcome;
  await endRun(scope.tx, run, status, output);
  const correlation = correlationOf(run);
  if (correlation) await resumeParent(scope, correlation, outcome);
  if (!ABOUT_A_RUN.test(run.event.name)) await announceEnd(scope, run, outcome);
}
