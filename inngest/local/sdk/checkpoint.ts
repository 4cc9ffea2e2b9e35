import { z } from "zod";
import type { Engine, Scope } from "@/inngest/local/engine-context";
import { RunFailure, runError, unsupported } from "@/inngest/local/failure";
import type { Run } from "@/inngest/local/model";
import { checkpointStep, finishRun } from "@/inngest/local/runs/lifecycle";
import { operationSchema } from "@/inngest/local/sdk/operations";
import { extendLeases, holdItem } from "@/inngest/local/store/items";
import { lockRunning } from "@/inngest/local/store/runs";

/** What the SDK sends after each step when it goes on in the same request. Further fields are not needed. */
const checkpointSchema = z.object({
  run_id: z.string().max(100),
  qi_id: z.string().max(1_000),
  steps: z.array(operationSchema).min(1).max(1_000),
});
type Checkpoint = z.infer<typeof checkpointSchema>;

function heldItem(queueItemId: string): { id: string; lease: string } {
  const at = queueItemId.lastIndexOf("@");
  return { id: queueItemId.slice(0, at), lease: queueItemId.slice(at + 1) };
}

async function memoizeAll(scope: Scope, run: Run, { steps }: Checkpoint): Promise<void> {
  for (const { op, id, data } of steps) {
    if (op !== "StepRun") throw unsupported(`a checkpoint of ${op}`);
    await checkpointStep(scope, { run, stepId: id, value: { data: data ?? null }, isRace: false });
  }
}

async function store(scope: Scope, checkpoint: Checkpoint): Promise<boolean> {
  const item = heldItem(checkpoint.qi_id);
  const run = await lockRunning(scope.tx, checkpoint.run_id);
  if (!run || !(await holdItem(scope.tx, item))) return false;
  try {
    await memoizeAll(scope, run, checkpoint);
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    await finishRun(scope, run, { status: "failed", error: runError(error) });
    return false;
  }
  await extendLeases(scope.tx, [item], scope.engine.leaseMs);
  return true;
}

/**
 * Stores steps that the SDK has done. False when it must stop: the item is no longer its own, or the run has ended,
 * be it by a limit that these steps exceed.
 */
export async function storeCheckpoint(engine: Engine, body: unknown): Promise<boolean> {
  const checkpoint = checkpointSchema.parse(body);
  return engine.database.transaction((tx) => store({ engine, tx }, checkpoint));
}
