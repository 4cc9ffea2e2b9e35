/** The few kinds of block that a card is made of. What an agent can influence stands in `Data` and nowhere else. */
type Text = { readonly type: "text"; readonly text: string; readonly style?: { readonly bold: true } };
type Heading = { readonly type: "rich_text_section"; readonly elements: readonly [Text] };
type Person = { readonly type: "user"; readonly user_id: string };
type People = { readonly type: "rich_text_section"; readonly elements: readonly (Text | Person)[] };
/** Shown as it is: Slack reads no markup, mention or link in it. */
type Data = { readonly type: "rich_text_preformatted"; readonly elements: readonly [Text] };
type Plain = { readonly type: "plain_text"; readonly text: string; readonly emoji: false };
type Button = {
  readonly type: "button";
  readonly action_id: string;
  readonly text: Plain;
  readonly value?: string;
  readonly url?: string;
  readonly style?: "primary" | "danger";
};

export type Block =
  | { readonly type: "header"; readonly text: Plain }
  | { readonly type: "section"; readonly text: Plain }
  | { readonly type: "context"; readonly elements: readonly [{ readonly type: "mrkdwn"; readonly text: string }] }
  | { readonly type: "rich_text"; readonly elements: readonly (Heading | People | Data)[] }
  | { readonly type: "actions"; readonly block_id: string; readonly elements: readonly Button[] };

/** What one preformatted text may hold; a longer one is split. */
const MAX_DATA = 2_800;
/** Slack refuses blocks beyond about 13,200 characters in total, although each is within its limit. */
export const MAX_BLOCKS_LENGTH = 12_000;

/** What a list of blocks takes of Slack's limit. */
export const lengthOf = (blocks: readonly Block[]): number => JSON.stringify(blocks).length;

const plain = (text: string): Plain => ({ type: "plain_text", text, emoji: false });

export const header = (words: string): Block => ({ type: "header", text: plain(words) });
export const sentence = (words: string): Block => ({ type: "section", text: plain(words) });

/** A moment in the reader's own time. Made of a number alone: the one place where markup is wanted. */
export function moment(words: string, at: Date): Block {
  const fallback = `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const seconds = Math.floor(at.getTime() / 1_000);
  const text = `${words} <!date^${seconds}^{date_short_pretty} {time}|${fallback}>`;
  return { type: "context", elements: [{ type: "mrkdwn", text }] };
}

/** Until when somebody can decide, or that there is no such time. */
export const decideUntil = (at: Date | null): Block =>
  at === null ? sentence("It does not expire: it waits until somebody decides.") : moment("Decide until", at);

const dataOf = (text: string): Data => ({ type: "rich_text_preformatted", elements: [{ type: "text", text }] });

/** Splits between characters, at a line's end where one is near. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > MAX_DATA) {
    const line = rest.lastIndexOf("\n", MAX_DATA);
    const isPair = /[\uD800-\uDBFF]/.test(rest.charAt(MAX_DATA - 1));
    const end = line > MAX_DATA / 2 ? line : MAX_DATA - (isPair ? 1 : 0);
    parts.push(rest.slice(0, end));
    rest = rest.slice(line === end ? end + 1 : end);
  }
  return [...parts, rest].filter((part) => part !== "");
}

/** Text that may come from anywhere, under a heading of ours. `text` must have been made visible. */
export function data(heading: string, text: string): Block {
  const title: Heading = {
    type: "rich_text_section",
    elements: [{ type: "text", text: heading, style: { bold: true } }],
  };
  return { type: "rich_text", elements: [title, ...partsOf(text === "" ? "(empty)" : text).map(dataOf)] };
}

/** Calls people by Slack's own ids, which come from no agent. */
export function people(words: string, userIds: readonly string[]): Block {
  const named = userIds.flatMap((id): (Text | Person)[] => [
    { type: "user", user_id: id },
    { type: "text", text: " " },
  ]);
  return {
    type: "rich_text",
    elements: [{ type: "rich_text_section", elements: [{ type: "text", text: words }, ...named] }],
  };
}

type ButtonSpec = { readonly id: string; readonly words: string } & Pick<Button, "value" | "url" | "style">;

export const buttons = (blockId: string, specs: readonly ButtonSpec[]): Block => ({
  type: "actions",
  block_id: blockId,
  elements: specs.map(({ id, words, ...rest }) => ({ type: "button", action_id: id, text: plain(words), ...rest })),
});
