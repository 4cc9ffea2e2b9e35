import { cron } from "inngest";
import { approvalDecided, approvalRequested, inngest } from "@/inngest/client";
import { sweepSlackProblems } from "@/server/services/slack/sweep-problems";
import { CardLater, syncCards } from "@/slack/deliver";
import { sweepAlerts } from "@/slack/deliver-alerts";
import { sweepBehind } from "@/slack/sweep-cards";

/** Waits of one run at most; what is left then is found by the sweep. */
const MAX_ROUNDS = 100;

/** The longest that cards of one moment are spread over, so that not all of them try again at once. */
const MAX_SPREAD_S = 60;

/** Seconds that a card has to wait, longer each round, or null where it shows what the rows say. */
async function syncOrWait(organizationId: string, approvalId: string, round: number): Promise<number | null> {
  try {
    await syncCards(organizationId, approvalId);
    return null;
  } catch (error) {
    if (error instanceof CardLater) return error.afterS + Math.floor(Math.random() * Math.min(MAX_SPREAD_S, round * 3));
    throw error;
  }
}

/** Posts the card of an approval that is asked, and brings it to what was decided. The rows say what is to be shown. */
export const keepCards = inngest.createFunction(
  { id: "keep-cards", triggers: [approvalRequested, approvalDecided], retries: 10 },
  async ({ event, step }) => {
    const { organizationId, approvalId } = event.data;
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const waitS = await step.run(`sync-${round}`, () => syncOrWait(organizationId, approvalId, round));
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
    return step.run("sync", sweepBehind);
  },
);
