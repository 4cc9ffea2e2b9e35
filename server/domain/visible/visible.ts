import { nameOf } from "./character-names";
import { scriptRuns } from "./mixed-scripts";

/** A piece of text as it is drawn: as it is, as a box for what would not show, or underlined with an explanation. */
export type Run =
  | { kind: "text"; text: string }
  | { kind: "box"; label: string; name: string; quiet: boolean; reads?: string; endsLine?: boolean }
  | { kind: "mixed"; text: string; note: string };

export type VisibleOptions = {
  /** The field is one line by its meaning, so that a line break in it is worth a box. */
  oneLine?: boolean;
  /** Source text: deep indentation at the start of a line is what it looks like. */
  source?: boolean;
};

const MANY_SPACES = 12;
const MANY_BREAKS = 4;
const MAX_INDENT = 60;

/**
 * In this order: emoji, which may hold joiners and selectors and stay as they are; tag characters and variation
 * selectors, which can spell out hidden text; runs of white space; every other character without a shape of its own;
 * towers of combining marks. The look-ahead before RGI_Emoji keeps the slow test away from ordinary text.
 */
const SPECIAL = new RegExp(
  [
    String.raw`(?<emoji>(?=[\p{Emoji}--[0-9#*]]|[0-9#*]\uFE0F\u20E3)\p{RGI_Emoji})`,
    String.raw`(?<tags>[\u{E0000}-\u{E007F}]+)`,
    String.raw`(?<selectors>[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]+)`,
    String.raw`(?<white>[ \t\r\n]{2,}|[\t\r\n])`,
    String.raw`(?<hidden>[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}\u{16FE4}]--[ \t\r\n]])\k<hidden>*`,
    String.raw`(?<marks>\p{M}{4,})`,
  ].join("|"),
  "gv",
);

const JOINS_LETTERS =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}]$/u;
const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]$/u;

/** Splits text so that nothing in it stays invisible. Linear in its length; joining the pieces is not reversible. */
export function visible(text: string, options: VisibleOptions = {}): Run[] {
  const runs: Run[] = [];
  let plainFrom = 0;
  for (const match of text.matchAll(SPECIAL)) {
    const groups = match.groups ?? {};
    if (groups.emoji !== undefined) continue;
    const before = text.slice(plainFrom, match.index);
    plainFrom = match.index + match[0].length;
    const atStart = match.index === 0 || text[match.index - 1] === "\n";
    append(runs, scriptRuns(before));
    append(runs, specialRuns(match[0], { groups, before, atStart }, options));
  }
  append(runs, scriptRuns(text.slice(plainFrom)));
  return runs;
}

/** How many things in the text deserve a reader's suspicion: boxes that are not quiet, and mixed scripts. */
export function countAlarms(runs: readonly Run[]): number {
  return runs.filter((run) => run.kind === "mixed" || (run.kind === "box" && !run.quiet)).length;
}

type Place = { groups: Record<string, string | undefined>; before: string; atStart: boolean };

function specialRuns(found: string, { groups, before, atStart }: Place, options: VisibleOptions): Run[] {
  if (groups.tags !== undefined) return [tagBox(found)];
  if (groups.selectors !== undefined) return [selectorBox(found, before)];
  if (groups.white !== undefined) return whiteRuns(found, atStart, options);
  if (groups.marks !== undefined) {
    const count = [...found].length;
    return [{ kind: "box", label: `MARKS ×${count}`, name: `${count} combining marks on one letter`, quiet: false }];
  }
  return [hiddenBox(found, before)];
}

function tagBox(tags: string): Run {
  const codes = [...tags].map((tag) => (tag.codePointAt(0) ?? 0) - 0xe0000);
  const reads = codes.map((code) => (code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : "")).join("");
  const name = `${codes.length} invisible tag characters`;
  return { kind: "box", label: `TAG ×${codes.length}`, name, quiet: false, ...(reads ? { reads } : {}) };
}

/** One selector after an emoji or a Han character picks its shape; anything longer can only carry hidden bytes. */
function selectorBox(selectors: string, before: string): Run {
  const codes = [...selectors].map((selector) => selector.codePointAt(0) ?? 0);
  const [first] = codes;
  if (codes.length === 1 && first !== undefined) {
    const picksShape = first >= 0xfe0e && first <= 0xfe0f && /\p{Extended_Pictographic}$/u.test(before);
    const picksIdeograph = first >= 0xe0100 && /\p{Script=Han}$/u.test(before);
    const { name } = nameOf(first);
    return {
      kind: "box",
      label: "VS",
      name: name.replace(/^[^,]+/, "variation selector"),
      quiet: picksShape || picksIdeograph,
    };
  }
  const bytes = Uint8Array.from(codes, (code) => (code >= 0xe0100 ? code - 0xe0100 + 16 : code - 0xfe00));
  const reads = printable(bytes);
  const name = `${codes.length} invisible variation selectors`;
  return { kind: "box", label: `VS ×${codes.length}`, name, quiet: false, ...(reads ? { reads } : {}) };
}

function printable(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  return /^[^\p{C}\uFFFD]+$/u.test(text) ? text : undefined;
}

function hiddenBox(hidden: string, before: string): Run {
  const characters = [...hidden];
  const code = characters[0]?.codePointAt(0) ?? 0;
  const { label, name } = nameOf(code);
  const count = characters.length;
  const isQuiet = count < MANY_SPACES && isOrdinary(code, before);
  if (count === 1) return { kind: "box", label, name, quiet: isQuiet };
  return { kind: "box", label: `${label} ×${count}`, name: `${count} times ${name}`, quiet: isQuiet };
}

/** What honest text of some language needs: it is drawn, in grey, and not counted. */
function isOrdinary(code: number, before: string): boolean {
  if (code === 0xa0 || code === 0x202f) return true;
  if (code === 0x200c || code === 0x200d) return JOINS_LETTERS.test(before);
  return code === 0x3000 && EAST_ASIAN.test(before);
}

function whiteRuns(white: string, atStart: boolean, options: VisibleOptions): Run[] {
  const breaks = white.split("\n").length - 1;
  if (breaks >= MANY_BREAKS) {
    const tail = white.slice(white.lastIndexOf("\n") + 1);
    const name = `${breaks} line breaks in a row`;
    const box: Run = { kind: "box", label: `${breaks} LINES`, name, quiet: !options.oneLine, endsLine: true };
    return [box, ...spaceRuns(tail, true, options)];
  }
  const runs: Run[] = [];
  for (const [index, line] of white.split("\n").entries()) {
    if (index > 0)
      runs.push(options.oneLine ? { kind: "box", ...nameOf(10), quiet: false } : { kind: "text", text: "\n" });
    const isBeforeBreak = index < breaks;
    append(runs, lineOfWhite(line, { atStart: index > 0 || atStart, isBeforeBreak }, options));
  }
  return runs;
}

function lineOfWhite(line: string, at: { atStart: boolean; isBeforeBreak: boolean }, options: VisibleOptions): Run[] {
  const runs: Run[] = [];
  for (const [part] of line.matchAll(/\r+|[ \t]+/g)) {
    if (part[0] !== "\r") {
      append(runs, spaceRuns(part, at.atStart, options));
      continue;
    }
    // A carriage return before a line break is how e-mail and HTTP end a line; alone, terminals overwrite with it.
    const isLineEnd = part === "\r" && at.isBeforeBreak && line.endsWith("\r");
    const { label, name } = nameOf(13);
    const counted = part.length > 1 ? `${label} ×${part.length}` : label;
    runs.push({ kind: "box", label: counted, name, quiet: isLineEnd && !options.oneLine });
  }
  return runs;
}

function spaceRuns(spaces: string, atStart: boolean, options: VisibleOptions): Run[] {
  if (spaces === "") return [];
  const isIndent = options.source && atStart && spaces.length <= MAX_INDENT;
  if (spaces.length >= MANY_SPACES && !isIndent) {
    const what = spaces.includes("\t") ? "spaces and tabs" : "spaces";
    return [{ kind: "box", label: `SP ×${spaces.length}`, name: `${spaces.length} ${what} in a row`, quiet: true }];
  }
  if (!options.oneLine || !spaces.includes("\t")) return [{ kind: "text", text: spaces }];
  return spaces
    .split(/(\t)/)
    .filter((part) => part !== "")
    .map((part): Run => (part === "\t" ? { kind: "box", ...nameOf(9), quiet: false } : { kind: "text", text: part }));
}

/** Not a spread: half a megabyte of hostile text makes more pieces than a call takes arguments. */
function append(runs: Run[], more: readonly Run[]): void {
  for (const run of more) {
    const last = runs.at(-1);
    if (run.kind === "text" && last?.kind === "text")
      runs[runs.length - 1] = { kind: "text", text: last.text + run.text };
    else runs.push(run);
  }
}
