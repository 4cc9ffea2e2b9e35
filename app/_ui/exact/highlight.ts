import type { Parser } from "@lezer/common";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { parser as json } from "@lezer/json";

/** Class names and text of one line, in order. */
export type Token = readonly [classes: string, text: string];

export type Language = "json";

const PARSERS: Readonly<Record<Language, Parser>> = { json };
const MAX_LENGTH = 65_536;
const DEADLINE_MS = 40;

/**
 * Lines of tokens whose text joined is exactly the input. Colour is a courtesy: too long, too slow or not equal, and
 * the text comes back plain.
 */
export function highlightLines(text: string, language?: Language): Token[][] {
  const plain = () => text.split("\n").map((line): Token[] => (line === "" ? [] : [["", line]]));
  if (!language || text.length > MAX_LENGTH) return plain();
  const lines = colour(text, PARSERS[language]);
  const joined = lines?.map((line) => line.map(([, part]) => part).join("")).join("\n");
  return lines && joined === text ? lines : plain();
}

function colour(text: string, parser: Parser): Token[][] | undefined {
  const started = performance.now();
  const parse = parser.startParse(text);
  let tree = parse.advance();
  while (!tree) {
    if (performance.now() - started > DEADLINE_MS) return undefined;
    tree = parse.advance();
  }
  const lines: Token[][] = [[]];
  highlightCode(
    text,
    tree,
    classHighlighter,
    (part, classes) => lines.at(-1)?.push([classes, part]),
    () => lines.push([]),
  );
  return lines;
}
