import { oneLineText } from "@/server/domain/text";
import { visible } from "@/server/domain/visible/visible";

/** What people compare has to look the same to everyone: nothing hidden, and no letters that pass for others. */
const showsAsItIs = (text: string) =>
  visible(text, { oneLine: true }).every(({ kind }) => kind === "text") && !/[\u27E6\u27E7]/.test(text);

/** A phrase of an organization by which its people know a card of ours. */
export const slackPhraseSchema = oneLineText(60)
  .refine((text) => text.length >= 4, "must have at least 4 characters")
  .refine(showsAsItIs, "must not hold hidden characters or letters of mixed scripts")
  .describe("Stands on each card in Slack: a card without it is not Countersign's.");
