import type { WebClient } from "@slack/web-api";
import { AppError } from "@/server/domain/errors";
import { errorFields, log } from "@/server/log";

export type Hearer = { readonly client: WebClient; readonly channelId: string; readonly userId: string };

/** What a person is told of a failure: an expected one in its own words, any other without detail. */
export const wordsFor = (error: unknown): string => {
  if (error instanceof AppError) return error.message;
  log.error(errorFields(error), "a press in Slack failed");
  return "Something went wrong and is being looked at. Look at the approval in the web app.";
};

/** Tells one person alone, in words of ours and as plain text. Never throws: what was decided is decided. */
export async function tellAlone({ client, channelId, userId }: Hearer, words: string): Promise<void> {
  try {
    await client.chat.postEphemeral({
      channel: channelId,
      user: userId,
      text: "Countersign has an answer for you.",
      blocks: [{ type: "section", text: { type: "plain_text", text: words.slice(0, 2_000), emoji: false } }],
    });
  } catch (error) {
    log.warn(errorFields(error), "a person could not be answered in Slack");
  }
}
