import { errorFields, log } from "@/server/log";
import { followAlerts } from "@/server/services/live/follow";
import { alertsDue } from "@/server/services/slack/alerts-due";
import { CardLater } from "@/slack/deliver";
import { deliverAlerts } from "@/slack/deliver-alerts";

/**
 * Tells alerts as soon as what they tell of commits, one organization after the other. Durable work finds what this
 * misses. `stop` waits for what is under way.
 */
export function startAlertKeeper(): { stop(): Promise<void> } {
  const due = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  let working: Promise<void> | null = null;
  let isStopped = false;

  const add = (orgId: string) => {
    if (isStopped) return;
    due.add(orgId);
    working ??= work().finally(() => {
      working = null;
    });
  };
  const addLater = (orgId: string, afterS: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      add(orgId);
    }, afterS * 1_000).unref();
    timers.add(timer);
  };
  const work = async () => {
    for (const orgId of due) {
      due.delete(orgId);
      const waitS = await tellOrWait(orgId);
      if (isStopped) return;
      if (waitS !== null) addLater(orgId, waitS);
    }
  };
  const missed = () => {
    alertsDue().then(
      (found) => {
        for (const orgId of found) add(orgId);
      },
      (error: unknown) => log.warn(errorFields(error), "alerts that are due could not be looked for"),
    );
  };
  const unfollow = followAlerts(add, missed);
  return {
    stop: async () => {
      isStopped = true;
      unfollow();
      for (const timer of timers) clearTimeout(timer);
      await working;
    },
  };
}

/** Seconds that the rest has to wait; null where all is told or is left to durable work. */
async function tellOrWait(organizationId: string): Promise<number | null> {
  try {
    await deliverAlerts(organizationId);
    return null;
  } catch (error) {
    if (error instanceof CardLater) return error.afterS;
    log.warn({ organizationId, ...errorFields(error) }, "an alert in Slack was left to durable work");
    return null;
  }
}
