import { canonicalJson } from "@/server/domain/canonical-json";
import type { CardFacts } from "@/server/services/slack/card-facts";

/** What nobody sees, or what shows text in another order than it runs in. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, "0");
    return `\\u${unit}`;
  }).join("");

/** A file of an approval's exact arguments, named after the digest that is decided on. */
export type ArgumentsFile = { readonly name: string; readonly content: string };

/**
 * The arguments as canonical JSON, hidden characters written as escapes: the same value to whoever parses it, with
 * nothing in it that does not show.
 */
export const argumentsFile = ({ digest, arguments: value }: CardFacts): ArgumentsFile => ({
  name: `arguments-${digest.slice(0, 16)}.json`,
  content: canonicalJson(value).replaceAll(UNSEEN, escaped),
});
