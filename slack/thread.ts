import type { WebClient } from "@slack/web-api";
import type { SystemActor } from "@/server/domain/actor";
import { type LeasedCard, noteReply } from "@/server/services/slack/cards";
import { readThread, type ThreadFacts } from "@/server/services/slack/thread-facts";
import type { Place } from "@/server/services/slack/workspaces";
import type { Card } from "@/slack/card/card";
import { outcomeReply, reminderReply } from "@/slack/card/replies";
import { isDefinite } from "@/slack/definite";

/** A card that is leased and posted, and the thread below it. */
export type Thread = {
  readonly client: WebClient;
  readonly place: Place;
  readonly approvalId: string;
  readonly ts: string;
  readonly isOpenChannel: boolean;
  readonly botId: string;
  readonly botUserId: string;
  readonly leased: LeasedCard;
};

type Told = Pick<LeasedCard, "told" | "remindedAt">;
type Reply = { readonly key: string; readonly card: Card; readonly after: Told };

const EVENT_TYPE = "countersign_reply";
/** What Slack says of a message in a thread; its own types leave the metadata out. */
type ThreadMessage = {
  readonly bot_id?: string;
  readonly metadata?: { readonly event_type?: string; readonly event_payload?: { readonly reply?: unknown } };
};

/** Tells the thread of a card what it does not have yet: a reminder, or how it ended. Each once, after a crash too. */
export async function tellThread(actor: SystemActor, thread: Thread): Promise<void> {
  const { approvalId, place, leased } = thread;
  const facts = await readThread(actor, { approvalId, teamId: place.teamId });
  const reply = dueReply(facts, leased, thread);
  if (reply === null) return;
  const key = { approvalId, teamId: place.teamId, channelId: place.channelId };
  const before = { told: leased.told, remindedAt: leased.remindedAt };
  const isThere = leased.isReplyUnsure && (await isPosted(thread, reply.key));
  if (!isThere) {
    await noteReply(actor, { ...key, ...before, isReplyUnsure: true });
    try {
      await post(thread, reply);
    } catch (error) {
      if (isDefinite(error)) await noteReply(actor, { ...key, ...before, isReplyUnsure: false });
      throw error;
    }
  }
  await noteReply(actor, { ...key, ...reply.after, isReplyUnsure: false });
}

function dueReply(facts: ThreadFacts, leased: LeasedCard, { isOpenChannel }: Thread): Reply | null {
  const { status, remindedAt } = facts;
  if (status !== "pending") {
    if (leased.told === status) return null;
    const after = { told: status, remindedAt };
    return { key: status, card: outcomeReply(facts, { isOpenChannel }), after };
  }
  if (remindedAt === null || (leased.remindedAt !== null && leased.remindedAt >= remindedAt)) return null;
  const key = `reminder-${remindedAt.getTime()}`;
  return { key, card: reminderReply(facts), after: { told: leased.told, remindedAt } };
}

async function post({ client, place, approvalId, ts }: Thread, { key, card }: Reply): Promise<void> {
  await client.chat.postMessage({
    channel: place.channelId,
    thread_ts: ts,
    text: card.text,
    blocks: card.blocks as never,
    unfurl_links: false,
    unfurl_media: false,
    metadata: { event_type: EVENT_TYPE, event_payload: { approval: approvalId, reply: key } },
  });
}

/** Whether a reply is there that somebody posted who crashed before saying so. */
async function isPosted({ client, place, ts, botId }: Thread, key: string): Promise<boolean> {
  const { messages = [] } = await client.conversations.replies({
    channel: place.channelId,
    ts,
    include_all_metadata: true,
    limit: 100,
  });
  return (messages as readonly ThreadMessage[]).some(({ bot_id, metadata }) => {
    const payload = metadata?.event_payload;
    return bot_id === botId && metadata?.event_type === EVENT_TYPE && payload?.reply === key;
  });
}
