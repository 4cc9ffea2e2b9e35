import { errorFields, log } from "@/server/log";
import { followCards } from "@/server/services/live/follow";
import { cardsBehind } from "@/server/services/slack/cards-behind";
import { CardLater, syncCards } from "@/slack/deliver";
import { refreshHomes } from "@/slack/publish-home";

/** Cards that one process brings up to date at a time. */
const AT_ONCE = 4;
/** Later than this, the sweep has it. */
const MAX_WAITS = 20;

type Due = { readonly organizationId: string; readonly approvalId: string };
type Waiting = Due & { readonly waits: number };

/**
 * Brings cards up to date as soon as whatever ended, held or reminded of their approval commits, whoever did it and on
 * whichever replica. Durable work and the sweep find what this misses. `stop` waits for what is under way.
 */
export function startCardKeeper(): { stop(): Promise<void> } {
  const queue = new Map<string, Waiting>();
  const working = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let isStopped = false;

  const add = (due: Waiting) => {
    if (isStopped) return;
    queue.set(due.approvalId, due);
    next();
  };
  const addLater = (due: Waiting, afterS: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      add(due);
    }, afterS * 1_000).unref();
    timers.add(timer);
  };
  const work = async (due: Waiting) => {
    const waitS = await syncOrWait(due);
    if (waitS !== null && due.waits < MAX_WAITS && !isStopped) addLater({ ...due, waits: due.waits + 1 }, waitS);
  };
  const next = () => {
    for (const [id, due] of queue) {
      if (working.size >= AT_ONCE) return;
      queue.delete(id);
      const done: Promise<void> = work(due).finally(() => {
        working.delete(done);
        if (!isStopped) next();
      });
      working.add(done);
    }
  };
  const missed = () => {
    cardsBehind().then(
      (found) => {
        for (const due of found) add({ ...due, waits: 0 });
      },
      (error: unknown) => log.warn(errorFields(error), "cards that are behind could not be looked for"),
    );
  };
  const unfollow = followCards((due) => add({ ...due, waits: 0 }), missed);
  return {
    stop: async () => {
      isStopped = true;
      unfollow();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(working);
    },
  };
}

/** Seconds that the card has to wait; null where it is up to date or is left to durable work. */
async function syncOrWait({ organizationId, approvalId }: Due): Promise<number | null> {
  try {
    await syncCards(organizationId, approvalId);
    await refreshHomes(organizationId, approvalId);
    return null;
  } catch (error) {
    if (error instanceof CardLater) return error.afterS;
    log.warn({ organizationId, approvalId, ...errorFields(error) }, "a card in Slack was left to durable work");
    return null;
  }
}
