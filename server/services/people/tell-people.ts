import { log } from "@/server/log";
import { mailChannel } from "@/server/services/notices/mail-channel";
import type { Channel, Notice } from "@/server/services/people/notice";

/** Channels in use. The web app needs none: it is live by itself. */
const CHANNELS: readonly Channel[] = [mailChannel];

/** Tells people over every channel. One that fails keeps no other from being told. */
export async function tellPeople(notice: Notice): Promise<void> {
  const results = await Promise.allSettled(CHANNELS.map((channel) => channel.tell(notice)));
  for (const [index, result] of results.entries()) {
    if (result.status === "rejected")
      log.warn({ channel: CHANNELS[index]?.name, notice: notice.kind }, "people could not be told");
  }
}
