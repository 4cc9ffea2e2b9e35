import { askSlack } from "@/server/connectors/slack/client";
import { AppError } from "@/server/domain/errors";
import { isFullMember } from "@/server/domain/slack-person";

type Whom = {
  readonly apiUrl: string | undefined;
  readonly token: string;
  readonly installation: string;
  readonly userId: string;
};

/** Asks Slack whether a person is a full member there at this moment. Throws AppError `slack_unreachable`. */
export async function isMemberOf({ apiUrl, token, installation, userId }: Whom): Promise<boolean> {
  const { user } = await askSlack(apiUrl, token)
    .users.info({ user: userId })
    .catch((cause: unknown) => {
      throw new AppError(
        "unavailable",
        "Slack did not say who you are. Try again.",
        { reason: "slack_unreachable" },
        { cause },
      );
    });
  return isFullMember(user, userId, installation);
}
