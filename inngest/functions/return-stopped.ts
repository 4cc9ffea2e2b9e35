import { controlActivated, inngest } from "@/inngest/client";
import { returnStopped } from "@/server/services/controls/return-stopped";
import { systemActor } from "@/server/services/system-actor";

const JOB = "return-stopped";
/** Batches of one run; what is more is found by the sweep. */
const MAX_ROUNDS = 100;

/** Puts back into the queue what a kill switch stopped, after the switch itself. None of it can run meanwhile. */
export const returnStoppedRequests = inngest.createFunction(
  { id: JOB, triggers: [controlActivated], retries: 3 },
  async ({ event, step }) => {
    const actor = systemActor(event.data.organizationId, JOB);
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      if (!(await step.run(`batch-${round}`, () => returnStopped(actor, {})))) return "done";
    }
    return "left to the sweep";
  },
);
