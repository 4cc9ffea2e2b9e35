import {
  type DueRequest,
  findCrashed,
  findEscalating,
  findExpired,
  findReminding,
  findRunnable,
  findStopped,
} from "@/server/db/system";
import { errorFields, log } from "@/server/log";
import { escalateApproval } from "@/server/services/approvals/escalate";
import { expireApproval } from "@/server/services/approvals/expire";
import { remindApproval } from "@/server/services/approvals/remind";
import { returnStopped } from "@/server/services/controls/return-stopped";
import { tellOutcome } from "@/server/services/people/tell-outcome";
import { executeRequest } from "@/server/services/requests/execute";
import { reapRequest } from "@/server/services/requests/reap";
import { systemActor } from "@/server/services/system-actor";

const JOB = "sweep";
const actorFor = (due: DueRequest) => systemActor(due.organizationId, JOB);

/** Marks runs that a crash cut off. Returns how many were found. */
export const sweepCrashed = (): Promise<number> =>
  each(findCrashed, async (due) => {
    const { requestId } = due;
    if (await reapRequest(actorFor(due), { requestId })) await tellOutcome(actorFor(due), { requestId });
  });

/** Ends approvals whose time is over. Returns how many were found. */
export const sweepExpired = (): Promise<number> =>
  each(findExpired, (due) => expireApproval(actorFor(due), { approvalId: due.approvalId }));

/** Passes on what nobody decided to the next role. Returns how many were found. */
export const sweepEscalating = (): Promise<number> =>
  each(findEscalating, (due) => escalateApproval(actorFor(due), { approvalId: due.approvalId }));

/** Reminds people of what does not expire. Returns how many were found. */
export const sweepReminding = (): Promise<number> =>
  each(findReminding, (due) => remindApproval(actorFor(due), { approvalId: due.approvalId }));

/** Runs what is decided and due, should its event have been lost. Returns how many were found. */
export const sweepRunnable = (): Promise<number> =>
  each(findRunnable, (due) => executeRequest(actorFor(due), { requestId: due.requestId }));

/** Puts back what a kill switch stopped, should its event have been lost. Returns in how many organizations. */
export async function sweepStopped(): Promise<number> {
  const found = await findStopped();
  for (const organizationId of found) {
    try {
      while (await returnStopped(systemActor(organizationId, JOB), {}));
    } catch (error) {
      log.error({ organizationId, ...errorFields(error) }, "the sweep left what a kill switch stopped for later");
    }
  }
  return found.length;
}

/** One that fails must not keep the others: it is found again by the next sweep. */
async function each<T extends DueRequest>(
  find: () => Promise<readonly T[]>,
  work: (due: T) => Promise<unknown>,
): Promise<number> {
  const found = await find();
  for (const due of found) {
    try {
      await work(due);
    } catch (error) {
      const { organizationId, requestId } = due;
      log.error({ organizationId, requestId, ...errorFields(error) }, "the sweep left one for later");
    }
  }
  return found.length;
}
