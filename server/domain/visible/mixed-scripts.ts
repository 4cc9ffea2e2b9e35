import { codePointName, nameOf } from "./character-names";
import type { Run } from "./visible";

const SCRIPTS = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Cherokee", /\p{Script=Cherokee}/u],
] as const;

/** Words, and combining marks that have no letter to stand on. */
const WORDS = /(?<bare>(?<![^\s])\p{M}+)|(?<word>[\p{L}\p{M}\p{N}]+)/gu;
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]|^\p{M}|\s\p{M}/u;

/** Units are written with Greek letters in Latin text. */
const UNIT = /^\p{N}*(?:μ(?:s|m|g|l|L|A|V|W|F|H|M|mol|Hz)|[kMGm]?Ω)$/u;

/** Marks words whose letters come from scripts that imitate each other, such as Latin with Cyrillic. */
export function scriptRuns(text: string): Run[] {
  if (text === "") return [];
  if (!FOREIGN.test(text)) return [{ kind: "text", text }];
  const runs: Run[] = [];
  let from = 0;
  for (const match of text.matchAll(WORDS)) {
    const run = match.groups?.bare === undefined ? mixedWord(match[0]) : bareMarks(match[0]);
    if (!run) continue;
    if (match.index > from) runs.push({ kind: "text", text: text.slice(from, match.index) });
    runs.push(run);
    from = match.index + match[0].length;
  }
  if (from < text.length) runs.push({ kind: "text", text: text.slice(from) });
  return runs;
}

function mixedWord(word: string): Run | undefined {
  const found = SCRIPTS.filter(([, pattern]) => pattern.test(word));
  if (found.length < 2 || UNIT.test(word)) return undefined;
  const scripts = found.map(([name]) => name);
  const odd = [...word].filter((letter) => found.slice(1).some(([, pattern]) => pattern.test(letter)));
  const named = [...new Set(odd)]
    .slice(0, 4)
    .map((letter) => `${letter} is ${codePointName(letter.codePointAt(0) ?? 0)}`);
  return { kind: "mixed", text: word, note: `${scripts.join(" and ")} letters in one word: ${named.join(", ")}` };
}

function bareMarks(marks: string): Run {
  const codes = [...marks].map((mark) => mark.codePointAt(0) ?? 0);
  const { label } = nameOf(codes[0] ?? 0);
  const name = `combining mark without a letter, ${codes.slice(0, 4).map(codePointName).join(" ")}`;
  return { kind: "box", label: codes.length > 1 ? `${label} ×${codes.length}` : label, name, quiet: false };
}
