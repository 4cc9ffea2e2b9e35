import { approvalDecided, approvalRequested, approvalWaits, inngest } from "@/inngest/client";
import { wake } from "@/inngest/wake";
import { escalateApproval } from "@/server/services/approvals/escalate";
import { expireApproval } from "@/server/services/approvals/expire";
import { remindApproval } from "@/server/services/approvals/remind";
import { approvalTiming } from "@/server/services/approvals/timing";
import { tellOutcome } from "@/server/services/people/tell-outcome";
import { tellPeople } from "@/server/services/people/tell-people";
import { systemActor } from "@/server/services/system-actor";

const JOB = "await-approval";
/** What one run looks at most; what does not expire goes on in another. */
const MAX_ROUNDS = 20;

/**
 * The life of one approval: people are told, reminded, the next role is called, and it expires where it does. The row
 * decides; an event only wakes the run early, so a lost, doubled or forged one changes nothing.
 */
export const awaitApproval = inngest.createFunction(
  { id: JOB, triggers: [approvalRequested, approvalWaits] },
  async ({ event, step }) => {
    const { organizationId, approvalId, requestId } = event.data;
    const actor = systemActor(organizationId, JOB);
    if (event.name === approvalRequested.name) {
      await step.run("tell", () => tellPeople({ kind: "approval_requested", organizationId, approvalId, requestId }));
    }
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const timing = await step.run(`look-${round}`, () => approvalTiming(actor, { approvalId }));
      if (timing.kind === "over") {
        await step.run("tell-outcome", () => tellOutcome(actor, { requestId }));
        return timing.status;
      }
      if (timing.kind === "due") {
        await step.run(`expire-${round}`, () => expireApproval(actor, { approvalId }));
        continue;
      }
      if (timing.kind === "escalate") {
        await step.run(`escalate-${round}`, () => escalateApproval(actor, { approvalId }));
        continue;
      }
      if (timing.kind === "remind") {
        await step.run(`remind-${round}`, () => remindApproval(actor, { approvalId }));
        continue;
      }
      await step.waitForEvent(`decided-${round}`, {
        event: approvalDecided,
        match: "data.approvalId",
        timeout: `${timing.seconds}s`,
      });
    }
    await step.run("go-on", () => wake(approvalWaits.create({ organizationId, approvalId, requestId })));
    return "goes on in another run";
  },
);
