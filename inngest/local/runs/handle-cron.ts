import type { Scope } from "@/inngest/local/engine-context";
import { newId } from "@/inngest/local/ids";
import type { Work } from "@/inngest/local/model";
import { nextFiring } from "@/inngest/local/registration/cron";
import { scheduleRun } from "@/inngest/local/runs/schedule";
import { addItem } from "@/inngest/local/store/items";

type Firing = Extract<Work, { kind: "cron" }>;

/** Queues the next firing of a schedule after now; whichever process gets there first wins. */
export async function queueFiring({ tx }: Scope, functionId: string, schedule: string): Promise<void> {
  const at = nextFiring(schedule, tx.now);
  if (at === undefined) return;
  const id = `cron:${functionId}:${schedule}:${at}`;
  await addItem(tx, { id, runAt: at, work: { kind: "cron", functionId, schedule, at } });
}

/** Starts a scheduled run. After an outage one firing is made up for, not each that was missed. */
export async function fire(scope: Scope, { functionId, schedule, at }: Firing): Promise<void> {
  const fn = scope.engine.functions().get(functionId);
  if (!fn?.schedules.includes(schedule)) return; // no longer registered
  const time = new Date(at).toISOString().replace(".000", "");
  const data = { cron: schedule, scheduledAt: time, fireAt: time };
  const event = { id: time, name: "inngest/scheduled.timer", ts: at, user: {}, data };
  await scheduleRun(scope, fn, event, newId(scope.tx.now));
  await queueFiring(scope, functionId, schedule);
}
