import { cron } from "inngest";
import { inngest } from "@/inngest/client";
import {
  sweepCrashed,
  sweepEscalating,
  sweepExpired,
  sweepReminding,
  sweepRunnable,
  sweepStopped,
} from "@/server/services/requests/sweep";

/** Finds by the rows what an event missed: crashed runs, approvals that are over, and what is due to run. */
export const sweep = inngest.createFunction(
  { id: "sweep", triggers: [cron("* * * * *")], retries: 0 },
  async ({ step }) => {
    await step.run("reap", sweepCrashed);
    await step.run("expire", sweepExpired);
    await step.run("escalate", sweepEscalating);
    await step.run("remind", sweepReminding);
    await step.run("stop", sweepStopped);
    await step.run("execute", sweepRunnable);
  },
);
