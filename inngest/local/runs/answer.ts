import { retryAt } from "@/inngest/local/backoff";
import type { Scope } from "@/inngest/local/engine-context";
import { RunFailure, runError, unsupported } from "@/inngest/local/failure";
import type { LeasedItem, Run } from "@/inngest/local/model";
import { finishRun } from "@/inngest/local/runs/lifecycle";
import { operate } from "@/inngest/local/runs/operate";
import type { SdkAnswer } from "@/inngest/local/sdk/call";
import { isPlanned, type Operation, operationsSchema, refusedFeature } from "@/inngest/local/sdk/operations";
import { removeItem, requeueItem } from "@/inngest/local/store/items";
import { saveState } from "@/inngest/local/store/runs";

export type Answered = {
  readonly run: Run;
  readonly item: LeasedItem;
  readonly answer: SdkAnswer;
  readonly maxAttempts: number;
};

function isLastAttempt({ item, answer, maxAttempts }: Answered): boolean {
  return answer.header("x-inngest-no-retry") === "true" || item.attempt + 1 >= maxAttempts;
}

async function retry({ engine, tx }: Scope, { item, answer }: Answered): Promise<void> {
  const at = retryAt(answer.header("retry-after"), item.attempt, tx.now, engine.backoff);
  await requeueItem(tx, item, at);
}

async function failed(scope: Scope, answered: Answered, error: unknown): Promise<void> {
  if (!isLastAttempt(answered)) return retry(scope, answered);
  await finishRun(scope, answered.run, { status: "failed", error: runError(error) });
}

const SDK_VERSION = 2;

/** Several operations at once mean parallel steps: all are planned, and the function is called when none is out. */
function noteParallel({ run, answer }: Answered, operations: readonly Operation[]): void {
  const { state } = run;
  const version = state.version === -1 ? Number(answer.header("x-inngest-req-version")) || SDK_VERSION : state.version;
  const isParallel = operations.length > 1;
  const isCoalesced = isParallel && version >= SDK_VERSION && operations.some(isPlanned);
  run.state = {
    ...state,
    version,
    forcePlan: state.forcePlan || isParallel,
    pending: isCoalesced ? operations.map((operation) => operation.id) : state.pending,
  };
}

/** A wait is registered before its siblings run, so that it cannot miss the event that one of them causes. */
const waitsFirst = (operations: readonly Operation[]): Operation[] => [
  ...operations.filter(({ op }) => op === "WaitForEvent"),
  ...operations.filter(({ op }) => op !== "WaitForEvent"),
];

async function operateAll(scope: Scope, answered: Answered): Promise<void> {
  const { run, item, answer } = answered;
  const parsed = operationsSchema.safeParse(answer.body);
  if (!parsed.success) return failed(scope, answered, { message: "the SDK reported malformed operations" });
  const feature = parsed.data.map(refusedFeature).find((name) => name !== undefined);
  if (feature) throw unsupported(feature);
  noteParallel(answered, parsed.data);
  await saveState(scope.tx, run);
  const isRetried = parsed.data.some(({ op }) => op === "StepError") && !isLastAttempt(answered);
  if (!isRetried) await removeItem(scope.tx, item);
  for (const operation of waitsFirst(parsed.data)) {
    if (isRetried && operation.op === "StepError") continue;
    if (run.status !== "running") return; // a limit ended it
    await operate(scope, { run, operation });
  }
  if (isRetried) await retry(scope, answered);
}

async function applyStatus(scope: Scope, answered: Answered): Promise<void> {
  const { run, answer } = answered;
  const { status, body } = answer;
  if (answer.refused) throw unsupported(answer.refused);
  if (status === 201) throw unsupported("streaming");
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && !answer.header("x-inngest-sdk")) {
    return failed(scope, answered, { message: "the answer did not come from an Inngest SDK" });
  }
  if (status === 200) return finishRun(scope, run, { status: "completed", result: body });
  if (status === 206) return operateAll(scope, answered);
  await failed(scope, answered, body);
}

/**
 * Does everything that follows from one answer of the SDK, in the transaction of `scope`, whose caller holds the run
 * and the item. What the engine lacks fails the run.
 */
export async function applyAnswer(scope: Scope, answered: Answered): Promise<void> {
  try {
    await applyStatus(scope, answered);
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    await finishRun(scope, answered.run, { status: "failed", error: runError(error) });
  }
}
