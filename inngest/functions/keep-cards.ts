import { cron } from "inngest";
import { approvalDecided, approvalRequested, inngest } from "@/inngest/client";
import { errorFields, log } from "@/server/log";
import { cardsBehind } from "@/server/services/slack/cards-behind";
import { sweepSlackProblems } from "@/server/services/slack/sweep-problems";
import { CardLater, syncCards } from "@/slack/deliver";
import { sweepAlerts } from "@/slack/deliver-alerts";

/** Waits of one run at most; what is left then is found by the sweep. */
const MAX_ROUNDS = 100;

/** Seconds that a card has to wait, or null where it shows what the rows say. */
async function syncOrWait(organizationId: string, approvalId: string): Promise<number | null> {
  try {
    await syncCards(organizationId, approvalId);
    return null;
  } catch (error) {
    if (error instanceof CardLater) return error.afterS;
    throw error;
  }
}

/** Posts the card of an approval that is asked, and brings it to what was decided. The rows say what is to be shown. */
export const keepCards = inngest.createFunction(
  { id: "keep-cards", triggers: [approvalRequested, approvalDecided], retries: 10 },
  async ({ event, step }) => {
    const { organizationId, approvalId } = event.data;
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const waitS = await step.run(`sync-${round}`, () => syncOrWait(organizationId, approvalId));
      if (waitS === null) return "done";
      await step.sleep(`wait-${round}`, `${waitS}s`);
    }
    return "left to the sweep";
  },
);

/** Finds cards that no event brought up to date, and alerts that are still to be told: approvals that expired, were voided or withdrawn, and lost events. */
export const sweepCards = inngest.createFunction(
  { id: "sweep-cards", triggers: [cron("* * * * *")], retries: 0 },
  async ({ step }) => {
    await step.run("recheck", sweepSlackProblems);
    await step.run("alerts", sweepAlerts);
    return step.run("sync", syncBehind);
  },
);

async function syncBehind(): Promise<number> {
  const behind = await cardsBehind();
  for (const { organizationId, approvalId } of behind) {
    try {
      await syncCards(organizationId, approvalId);
    } catch (error) {
      const wait = error instanceof CardLater ? { afterS: error.afterS } : errorFields(error);
      log.warn({ organizationId, approvalId, ...wait }, "a card in Slack was left for later");
    }
  }
  return behind.length;
}
