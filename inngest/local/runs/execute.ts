import type { Engine, Scope } from "@/inngest/local/engine-context";
import { RunFailure, runError } from "@/inngest/local/failure";
import { newId } from "@/inngest/local/ids";
import { MAX_LAPSES } from "@/inngest/local/limits";
import type { LeasedItem, Run } from "@/inngest/local/model";
import { applyAnswer } from "@/inngest/local/runs/answer";
import { finishRun } from "@/inngest/local/runs/lifecycle";
import type { SdkAnswer, SdkRequest } from "@/inngest/local/sdk/call";
import { holdItem, removeItem } from "@/inngest/local/store/items";
import { lockRunning, stepsOf } from "@/inngest/local/store/runs";

type Call = {
  readonly run: Run;
  readonly steps: readonly { readonly id: string; readonly value: string }[];
  readonly requestId: string;
  readonly maxAttempts: number;
};
const DEFAULT_ATTEMPTS = 5;

/** What the SDK sends back with a checkpoint: enough to tell whether the item is still this process's. */
const queueItemId = (item: Pick<LeasedItem, "id" | "lease">): string => `${item.id}@${item.lease}`;

async function giveUp(scope: Scope, run: Run): Promise<void> {
  const lost = new RunFailure("WorkerLost", `the process ended ${MAX_LAPSES} times while running the same step`);
  await finishRun(scope, run, { status: "failed", error: runError(lost) });
}

/** The call to make, or undefined when there is none: the run has ended, or ends here. */
async function prepare(scope: Scope, item: LeasedItem & { runId: string }): Promise<Call | undefined> {
  const { engine, tx } = scope;
  const run = await lockRunning(tx, item.runId);
  if (!(await holdItem(tx, item))) return undefined;
  if (!run) {
    await removeItem(tx, item);
    return undefined;
  }
  if (item.lapses > MAX_LAPSES) {
    await giveUp(scope, run);
    return undefined;
  }
  const maxAttempts = engine.functions().get(run.functionId)?.maxAttempts ?? DEFAULT_ATTEMPTS;
  return { run, steps: await stepsOf(tx, run.id), requestId: newId(tx.now), maxAttempts };
}

function requestFor(engine: Engine, item: LeasedItem, call: Call): SdkRequest {
  const { run, steps, requestId, maxAttempts } = call;
  const stepId = item.work.kind === "step" ? item.work.stepId : "step";
  const ids = steps.map((step) => step.id);
  const checkpointing = engine.isCheckpointing ? { fn_id: run.functionId, qi_id: queueItemId(item) } : {};
  return {
    method: "POST",
    query: { fnId: run.functionId, stepId },
    headers: {
      "x-run-id": run.id,
      "x-inngest-req-version": String(run.state.version),
      "x-request-id": requestId,
      "x-inngest-job-id": item.id,
    },
    body: {
      event: run.event,
      events: [run.event],
      steps: Object.fromEntries(steps.map((step) => [step.id, JSON.parse(step.value)])),
      defers: {},
      version: run.state.version,
      use_api: false,
      ctx: {
        run_id: run.id,
        env: "",
        step_id: "step",
        attempt: item.attempt,
        max_attempts: maxAttempts,
        use_api: false,
        disable_immediate_execution: run.state.forcePlan,
        stack: { stack: ids, current: ids.length },
        ...checkpointing,
      },
    },
  };
}

const noAnswer = (status: number, message: string): SdkAnswer => ({
  status,
  header: () => null,
  body: { message },
  refused: undefined,
});

async function answerTo(engine: Engine, item: LeasedItem, call: Call): Promise<SdkAnswer> {
  if (!engine.functions().has(call.run.functionId)) {
    return noAnswer(404, `function ${call.run.functionId} is not registered`);
  }
  try {
    return await engine.call(requestFor(engine, item, call));
  } catch (error) {
    return noAnswer(0, error instanceof Error ? error.message : "no answer");
  }
}

/**
 * Calls the SDK for one discovery or step, outside any transaction, and does what follows in one. If the lease was
 * lost meanwhile, or the run cancelled, the answer is dropped.
 */
export async function execute(engine: Engine, item: LeasedItem & { runId: string }): Promise<void> {
  const call = await engine.database.transaction((tx) => prepare({ engine, tx }, item));
  if (!call) return;
  const answer = await answerTo(engine, item, call);
  await engine.database.transaction(async (tx) => {
    const run = await lockRunning(tx, item.runId);
    if (!(await holdItem(tx, item))) return;
    if (run) await applyAnswer({ engine, tx }, { run, item, answer, maxAttempts: call.maxAttempts });
    else await removeItem(tx, item);
  });
}
