import { setTimeout } from "node:timers/promises";
import { errorFields, log } from "@/server/log";
import { cardsBehind } from "@/server/services/slack/cards-behind";
import { CardLater, syncCards } from "@/slack/deliver";

/** How long one sweep waits for Slack's pace in all, and for one card: the next sweep is a minute away. */
const BUDGET_MS = 30_000;
const LONGEST_WAIT_S = 5;

type Due = { readonly organizationId: string; readonly approvalId: string };

/** Brings every card that is behind up to date, as fast as Slack takes them. Never throws. Returns how many there were. */
export async function sweepBehind(): Promise<number> {
  const behind = await cardsBehind();
  const endsAt = Date.now() + BUDGET_MS;
  for (const due of behind) await syncInTime(due, endsAt);
  return behind.length;
}

async function syncInTime(due: Due, endsAt: number): Promise<void> {
  for (;;) {
    const waitS = await syncOnce(due);
    if (waitS === null) return;
    if (waitS > LONGEST_WAIT_S || Date.now() + waitS * 1_000 > endsAt) {
      log.warn({ ...due, waitS }, "a card in Slack was left for later");
      return;
    }
    await setTimeout(waitS * 1_000);
  }
}

/** Seconds that it has to wait; null where it is done, or nothing helps for now. */
async function syncOnce({ organizationId, approvalId }: Due): Promise<number | null> {
  try {
    await syncCards(organizationId, approvalId);
    return null;
  } catch (error) {
    // What somebody else has in hand is theirs.
    if (error instanceof CardLater) return error.isSlacksWish ? error.afterS : null;
    log.warn({ organizationId, approvalId, ...errorFields(error) }, "a card in Slack was left for later");
    return null;
  }
}
