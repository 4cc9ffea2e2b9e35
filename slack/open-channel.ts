import { WebAPIPlatformError, type WebClient } from "@slack/web-api";
import { AppError } from "@/server/domain/errors";
import { isOpenToOthers } from "@/server/domain/slack-channel";
import type { Place } from "@/server/services/slack/workspaces";

const KEPT_MS = 60_000;
const MAX_KEPT = 1_000;
const keyOf = ({ teamId, channelId }: Place) => `${teamId}/${channelId}`;
const known = new Map<string, { readonly isOpen: boolean; readonly until: number }>();

/**
 * Whether others than the organization's approvers may read a channel now: everyone, or people of another workspace. An
 * admin can open a channel at any time, so it is asked again every minute.
 */
export async function isOpenChannel(client: WebClient, { teamId, channelId }: Place): Promise<boolean> {
  const remembered = known.get(keyOf({ teamId, channelId }));
  if (remembered && remembered.until > Date.now()) return remembered.isOpen;
  return askOpenChannel(client, { teamId, channelId });
}

/** The same as Slack says at this moment. */
export async function askOpenChannel(client: WebClient, { teamId, channelId }: Place): Promise<boolean> {
  const { channel } = await client.conversations.info({ channel: channelId });
  const isOpen = isOpenToOthers(channel);
  if (known.size >= MAX_KEPT) known.clear();
  known.set(keyOf({ teamId, channelId }), { isOpen, until: Date.now() + KEPT_MS });
  return isOpen;
}

/** Whether a press in that channel may be others' too. A channel that Slack does not tell of counts as open. */
export async function isPressedInTheOpen(client: WebClient, place: Place): Promise<boolean> {
  try {
    return await askOpenChannel(client, place);
  } catch (error) {
    if (error instanceof WebAPIPlatformError) return true;
    throw new AppError(
      "unavailable",
      "Nothing was done. Slack did not say who reads this channel. Try again.",
      { reason: "slack_unreachable" },
      { cause: error },
    );
  }
}
