import { cron } from "inngest";
import { inngest } from "@/inngest/client";
import { auditLag, sweepSeals } from "@/server/services/audit/chain/sealer";
import { recordRefusals } from "@/server/services/audit/refusals";

/** Seals the log where no process of ours loops, sums up refused calls by the minute, and raises the alarm when sealing lags. */
export const sealAudit = inngest.createFunction(
  { id: "seal-audit", triggers: [cron("* * * * *")], retries: 0 },
  async ({ step }) => {
    await step.run("count-refusals", recordRefusals);
    await step.run("seal", sweepSeals);
    await step.run("check", auditLag);
  },
);
