import type { Scope } from "@/inngest/local/engine-context";
import { holds, scalarsOf } from "@/inngest/local/expression/evaluate";
import { parseCondition } from "@/inngest/local/expression/parse";
import type { Pause, ReceivedEvent, Run } from "@/inngest/local/model";
import type { LocalFunction } from "@/inngest/local/registration/check";
import { completeStep, finishRun } from "@/inngest/local/runs/lifecycle";
import { scheduleRun } from "@/inngest/local/runs/schedule";
import { type Candidate, pausesFor, takePause } from "@/inngest/local/store/pauses";
import { lockRunning } from "@/inngest/local/store/runs";

/** An event that is handled late still answers a wait made up to 5 s after it was received, as on Inngest. */
const LOOK_BACK_MS = 5_000;

const isTriggered = (fn: LocalFunction, { event }: ReceivedEvent): boolean =>
  fn.events.some(({ name, condition }) => name === event.name && (!condition || holds(condition, { event })));

function answers(
  { pause, trigger }: Candidate,
  { event, receivedAt, internalId }: ReceivedEvent,
  now: number,
): boolean {
  if (pause.expires < now || pause.createdAt > receivedAt + LOOK_BACK_MS) return false;
  if (pause.kind === "cancel" && internalId <= pause.runId) return false; // sent before the run began
  return !pause.condition || holds(parseCondition(pause.condition), { event: trigger, async: event });
}

async function resume(scope: Scope, { run, pause, received }: { run: Run; pause: Pause; received: ReceivedEvent }) {
  if (pause.kind === "cancel") return finishRun(scope, run, { status: "cancelled" });
  await completeStep(scope, { run, stepId: pause.stepId, value: received.event, isRace: pause.isRace });
}

async function resumeWaiting(scope: Scope, received: ReceivedEvent): Promise<void> {
  const { tx } = scope;
  const { event } = received;
  for (const candidate of await pausesFor(tx, event.name, scalarsOf(event))) {
    if (!answers(candidate, received, tx.now)) continue;
    const run = await lockRunning(tx, candidate.pause.runId);
    const pause = run && (await takePause(tx, candidate.pause.id));
    if (pause) await resume(scope, { run, pause, received });
  }
}

/** Starts the functions that an event triggers, and resumes or cancels the runs that wait for it. */
export async function handleEvent(scope: Scope, received: ReceivedEvent): Promise<void> {
  for (const fn of scope.engine.functions().values()) {
    if (isTriggered(fn, received)) await scheduleRun(scope, fn, received.event);
  }
  await resumeWaiting(scope, received);
}
