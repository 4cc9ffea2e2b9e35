import { cron } from "inngest";
import { inngest } from "@/inngest/client";
import { findCrashed, findExpired, findRunnable } from "@/server/db/system";
import { errorFields, log } from "@/server/log";
import { expireApproval } from "@/server/services/approvals/expire";
import { executeRequest } from "@/server/services/requests/execute";
import { reapRequest } from "@/server/services/requests/reap";
import { systemActor } from "@/server/services/system-actor";

const JOB = "sweep";

/** Finds by the rows what an event missed: what is due to run or to expire, and runs that a crash cut off. */
export const sweep = inngest.createFunction({ id: JOB, triggers: [cron("* * * * *")], retries: 0 }, async ({ step }) => {
  await step.run("reap", () => each(findCrashed, (due) => reapRequest(systemActor(due.organizationId, JOB), { requestId: due.requestId })));
  await step.run("expire", () =>
    each(findExpired, (due) => expireApproval(systemActor(due.organizationId, JOB), { approvalId: due.approvalId })),
  );
  await step.run("execute", () =>
    each(findRunnable, (due) => executeRequest(systemActor(due.organizationId, JOB), { requestId: due.requestId })),
  );
});

/** One that fails must not keep the others: it is found again by the next sweep. */
async function each<T extends { organizationId: string; requestId: string }>(find: () => Promise<T[]>, work: (due: T) => Promise<unknown>): Promise<number> {
  const due = await find();
  for (const one of due) {
    try {
      await work(one);
    } catch (error) {
      log.error({ organizationId: one.organizationId, requestId: one.requestId, ...errorFields(error) }, "the sweep left one for later");
    }
  }
  return due.length;
}
