import { findSlackProblems } from "@/server/db/system";
import { errorFields, log } from "@/server/log";
import { recheckSlack } from "@/server/services/slack/check";
import { systemActor } from "@/server/services/system-actor";

/** Looks at every installation with a problem whether it is over, across organizations. Returns how many there were. */
export async function sweepSlackProblems(): Promise<number> {
  const found = await findSlackProblems();
  for (const { organizationId, teamId } of found) {
    try {
      await recheckSlack(systemActor(organizationId, "slack"), { teamId });
    } catch (error) {
      log.warn({ organizationId, teamId, ...errorFields(error) }, "a problem with Slack was not looked at again");
    }
  }
  return found.length;
}
