import type { Engine, Scope } from "@/inngest/local/engine-context";
import { MAX_LAPSES } from "@/inngest/local/limits";
import type { LeasedItem } from "@/inngest/local/model";
import { execute } from "@/inngest/local/runs/execute";
import { fire } from "@/inngest/local/runs/handle-cron";
import { handleEvent } from "@/inngest/local/runs/handle-event";
import { endSleep, endWait } from "@/inngest/local/runs/resume";
import { getEvent } from "@/inngest/local/store/events";
import { holdItem, removeItem } from "@/inngest/local/store/items";
import { lockRunning } from "@/inngest/local/store/runs";
import { log } from "@/server/log";

/** Runs are locked before items everywhere, so that two transactions do not wait for each other. */
async function holdBoth({ tx }: Scope, item: LeasedItem): Promise<boolean> {
  if (item.runId) await lockRunning(tx, item.runId);
  return holdItem(tx, item);
}

async function settle(scope: Scope, item: LeasedItem): Promise<void> {
  const { work, runId } = item;
  if (work.kind === "sleep" && runId) await endSleep(scope, { runId, stepId: work.stepId, isRace: work.isRace });
  if (work.kind === "timeout" && runId) await endWait(scope, runId, work.pauseId);
  if (work.kind === "cron") await fire(scope, work);
  if (work.kind === "event") {
    const received = await getEvent(scope.tx, work.internalId);
    if (received) await handleEvent(scope, received);
  }
}

/** Does one item that this process holds. Rejects when the database fails; the item is then due again by its lease. */
export async function workOn(engine: Engine, item: LeasedItem): Promise<void> {
  const { work, runId } = item;
  if ((work.kind === "discovery" || work.kind === "step") && runId) return execute(engine, { ...item, runId });
  await engine.database.transaction(async (tx) => {
    const scope = { engine, tx };
    if (!(await holdBoth(scope, item))) return;
    if (item.lapses > MAX_LAPSES) log.error({ item: item.id, kind: work.kind }, "gave up an item that always fails");
    else await settle(scope, item);
    await removeItem(tx, item);
  });
}
