import { inngest, requestReady, requestScheduled } from "@/inngest/client";
import { tellOutcome } from "@/server/services/people/tell-outcome";
import { executeRequest } from "@/server/services/requests/execute";
import { secondsUntilDue } from "@/server/services/requests/seconds-until-due";
import { systemActor } from "@/server/services/system-actor";

const JOB = "execute-request";

/**
 * Runs a decided request when its undo window has passed. The claim in the database lets one run of any number win,
 * so a doubled event or a retried step performs nothing twice.
 */
export const executeDueRequest = inngest.createFunction(
  { id: JOB, triggers: [requestReady, requestScheduled], retries: 3 },
  async ({ event, step }) => {
    const { organizationId, requestId } = event.data;
    const actor = systemActor(organizationId, JOB);
    const waitS = await step.run("look", () => secondsUntilDue(actor, { requestId }));
    if (waitS === null) return "not waiting";
    if (waitS > 0) await step.sleep("undo-window", `${waitS}s`);
    const execution = await step.run("execute", () => executeRequest(actor, { requestId }));
    // Cancelled in its window, too: that is skipped here.
    await step.run("tell-outcome", () => tellOutcome(actor, { requestId }));
    return execution;
  },
);
