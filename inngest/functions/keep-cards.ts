import { cron, RetryAfterError } from "inngest";
import { approvalDecided, approvalRequested, inngest } from "@/inngest/client";
import { errorFields, log } from "@/server/log";
import { cardsBehind } from "@/server/services/slack/cards-behind";
import { CardLater, syncCards } from "@/slack/deliver";

/** Posts the card of an approval that is asked, and brings it to what was decided. The rows say what is to be shown. */
export const keepCards = inngest.createFunction(
  { id: "keep-cards", triggers: [approvalRequested, approvalDecided], retries: 10 },
  async ({ event, step }) => {
    const { organizationId, approvalId } = event.data;
    await step.run("sync", async () => {
      try {
        await syncCards(organizationId, approvalId);
      } catch (error) {
        if (!(error instanceof CardLater)) throw error;
        throw new RetryAfterError("the card has to wait", `${error.afterS}s`, { cause: error });
      }
    });
  },
);

/** Finds cards that no event brought up to date: approvals that expired, were voided or withdrawn, and lost events. */
export const sweepCards = inngest.createFunction(
  { id: "sweep-cards", triggers: [cron("* * * * *")], retries: 0 },
  async ({ step }) => step.run("sync", syncBehind),
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
