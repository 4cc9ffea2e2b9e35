import { WebAPIPlatformError } from "@slack/web-api";
import type { SystemActor } from "@/server/domain/actor";
import { log } from "@/server/log";
import type { CardFacts } from "@/server/services/slack/card-facts";
import { noteFile } from "@/server/services/slack/cards";
import { type ArgumentsFile, argumentsFile } from "@/slack/card/file";
import { isDefinite } from "@/slack/definite";
import type { Thread } from "@/slack/thread";

const COMMENT = "The exact arguments, which are too long for the card.";

/** Puts the exact arguments below a card that could not show them whole. Once, after a crash too. */
export async function tellFile(actor: SystemActor, thread: Thread, facts: CardFacts): Promise<void> {
  const { approvalId, place, leased } = thread;
  if (leased.hasFile) return;
  const file = argumentsFile(facts);
  const note = async (hasFile: boolean, isFileUnsure: boolean) => {
    const isOurs = await noteFile(actor, { approvalId, ...place, hasFile, isFileUnsure });
    if (!isOurs) throw new Error("somebody else has the card by now");
  };
  if (leased.isFileUnsure && (await isThere(thread, file))) return note(true, false);
  await note(false, true);
  try {
    await upload(thread, file);
  } catch (error) {
    if (isDefinite(error)) await note(false, false);
    if (!isNotAllowed(error)) throw error;
    // The card and its link do without; the set-up check names the permission.
    log.warn({ organizationId: actor.orgId, teamId: place.teamId }, "Slack takes no file: files:write is missing");
    return;
  }
  await note(true, false);
}

const isNotAllowed = (error: unknown) =>
  error instanceof WebAPIPlatformError && String(error.data.error) === "missing_scope";

async function upload({ client, place, ts }: Thread, { name, content }: ArgumentsFile): Promise<void> {
  await client.filesUploadV2({
    channel_id: place.channelId,
    thread_ts: ts,
    initial_comment: COMMENT,
    filename: name,
    title: name,
    file: Buffer.from(content, "utf8"),
  });
}

/** What Slack says of a message in a thread that shares files. */
type FileMessage = {
  readonly bot_id?: string;
  readonly user?: string;
  readonly files?: readonly { readonly name?: string }[];
};

/** Whether the file is there that somebody uploaded who crashed before saying so. */
async function isThere({ client, place, ts, botId, botUserId }: Thread, { name }: ArgumentsFile): Promise<boolean> {
  const { messages = [] } = await client.conversations.replies({ channel: place.channelId, ts, limit: 100 });
  return (messages as readonly FileMessage[]).some(
    ({ bot_id, user, files = [] }) =>
      (bot_id === botId || user === botUserId) && files.some((file) => file.name === name),
  );
}
