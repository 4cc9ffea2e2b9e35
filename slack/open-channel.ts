import type { WebClient } from "@slack/web-api";
import { isOpenToOthers } from "@/server/domain/slack-channel";
import type { Place } from "@/server/services/slack/workspaces";

const KEPT_MS = 60_000;
const MAX_KEPT = 1_000;
const known = new Map<string, { readonly isOpen: boolean; readonly until: number }>();

/**
 * Whether others than the organization's approvers may read a channel now: everyone, or people of another workspace. An
 * admin can open a channel at any time, so it is asked again every minute.
 */
export async function isOpenChannel(client: WebClient, { teamId, channelId }: Place): Promise<boolean> {
  const key = `${teamId}/${channelId}`;
  const remembered = known.get(key);
  if (remembered && remembered.until > Date.now()) return remembered.isOpen;
  const { channel } = await client.conversations.info({ channel: channelId });
  const isOpen = isOpenToOthers(channel);
  if (known.size >= MAX_KEPT) known.clear();
  known.set(key, { isOpen, until: Date.now() + KEPT_MS });
  return isOpen;
}
