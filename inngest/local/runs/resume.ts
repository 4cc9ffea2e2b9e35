import type { Scope } from "@/inngest/local/engine-context";
import { runError } from "@/inngest/local/failure";
import type { Pause } from "@/inngest/local/model";
import { completeStep } from "@/inngest/local/runs/lifecycle";
import { takePause } from "@/inngest/local/store/pauses";
import { lockRunning } from "@/inngest/local/store/runs";

/** Ends a sleep. */
export async function endSleep(scope: Scope, sleep: { runId: string; stepId: string; isRace: boolean }): Promise<void> {
  const run = await lockRunning(scope.tx, sleep.runId);
  if (run) await completeStep(scope, { run, stepId: sleep.stepId, value: null, isRace: sleep.isRace });
}

const timedOut = ({ kind }: Pause): unknown =>
  kind === "invoke"
    ? { error: runError({ name: "InngestInvokeTimeout", message: "the invoked function did not end in time" }) }
    : null;

/** Ends a wait that nothing has answered. Whoever consumed the pause before wins. */
export async function endWait(scope: Scope, runId: string, pauseId: string): Promise<void> {
  const run = await lockRunning(scope.tx, runId);
  if (!run) return;
  const pause = await takePause(scope.tx, pauseId);
  if (!pause || pause.kind === "cancel") return;
  await completeStep(scope, { run, stepId: pause.stepId, value: timedOut(pause), isRace: pause.isRace });
}
