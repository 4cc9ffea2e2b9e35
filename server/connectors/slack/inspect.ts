import { askSlack } from "@/server/connectors/slack/client";
import { AppError } from "@/server/domain/errors";
import { isOpenToOthers } from "@/server/domain/slack-channel";

/** What Slack says of a bot's token and of the channel that it shall post to. */
export type InspectedWorkspace = {
  readonly teamId: string;
  readonly name: string;
  readonly botId: string;
  readonly botUserId: string;
  /** Everyone in the workspace, or people of another one, can read it. */
  readonly isOpenChannel: boolean;
};

export type Inspection = { readonly token: string; readonly channelId: string; readonly apiUrl: string | undefined };

const refused = (message: string, cause?: unknown) =>
  new AppError("refused", message, { reason: "slack_refused" }, { cause });

/** Asks Slack who a token belongs to, and what kind of channel that is. Throws AppError `slack_refused`. */
export async function inspectWorkspace({ token, channelId, apiUrl }: Inspection): Promise<InspectedWorkspace> {
  const client = askSlack(apiUrl, token);
  try {
    const who = await client.auth.test();
    const { channel } = await client.conversations.info({ channel: channelId });
    const { team_id: teamId, team = "", bot_id: botId, user_id: botUserId } = who;
    if (!teamId || !botId || !botUserId) throw refused("The token is not the token of a bot in one workspace.");
    if (!channel?.is_member) throw refused("The bot is not in that channel. Invite it first.");
    return { teamId, name: team, botId, botUserId, isOpenChannel: isOpenToOthers(channel) };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw refused("Slack does not accept the token or does not know the channel.", cause);
  }
}
