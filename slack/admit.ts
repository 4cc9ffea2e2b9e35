import type { WebClient } from "@slack/web-api";
import { AppError } from "@/server/domain/errors";
import { isFullMember } from "@/server/domain/slack-person";

const NOT_ADMITTED = "Nothing was done. Only full members of this workspace can use this.";

/**
 * Why a person may do nothing here by what Slack says of them now: guests, strangers, bots, people of other workspaces and
 * those whose account ended. Null where nothing is in the way. Fails closed: throws AppError `slack_unreachable`.
 */
export async function objectionTo(client: WebClient, teamId: string, userId: string): Promise<string | null> {
  const { user } = await client.users.info({ user: userId }).catch((cause: unknown) => {
    throw new AppError(
      "unavailable",
      "Nothing was done. Slack did not say who you are. Try again.",
      { reason: "slack_unreachable" },
      { cause },
    );
  });
  return isFullMember(user, userId, teamId) ? null : NOT_ADMITTED;
}
