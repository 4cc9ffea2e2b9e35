import type { WebClient } from "@slack/web-api";

type Sought = {
  readonly channelId: string;
  readonly botId: string;
  readonly eventType: string;
  /** The field of the metadata that names it, and its value. */
  readonly key: readonly [name: string, value: string];
  /** When it can have been posted at the earliest; null for the latest is now. */
  readonly from: Date;
  readonly until: Date | null;
};

const PAGE = 200;
const MAX_PAGES = 50;
/** Slack's clock is not ours. */
const EARLIER_S = 60;
const LATER_S = 300;

const secondsOf = (time: Date) => Math.floor(time.getTime() / 1_000);

/**
 * The message of ours that somebody posted who crashed before saying so; null where there is none for certain. Throws
 * where the channel has more of that time than can be looked through: nothing is posted twice on a guess.
 */
export async function findPosted(client: WebClient, sought: Sought): Promise<string | null> {
  const { channelId, from, until } = sought;
  const range = {
    channel: channelId,
    oldest: String(secondsOf(from) - EARLIER_S),
    ...(until === null ? {} : { latest: String(secondsOf(until) + LATER_S) }),
    include_all_metadata: true,
    limit: PAGE,
  };
  let cursor = "";
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { messages = [], response_metadata } = await client.conversations.history({
      ...range,
      ...(cursor === "" ? {} : { cursor }),
    });
    const found = messages.find((message) => isSought(message, sought));
    if (found?.ts !== undefined) return found.ts;
    cursor = response_metadata?.next_cursor ?? "";
    if (cursor === "") return null;
  }
  throw new Error("the channel has too many messages to look through");
}

type Message = {
  readonly bot_id?: string;
  readonly metadata?: { readonly event_type?: string; readonly event_payload?: unknown };
};

function isSought({ bot_id, metadata }: Message, { botId, eventType, key: [name, value] }: Sought): boolean {
  const payload = metadata?.event_payload as Readonly<Record<string, unknown>> | undefined;
  return bot_id === botId && metadata?.event_type === eventType && payload?.[name] === value;
}
