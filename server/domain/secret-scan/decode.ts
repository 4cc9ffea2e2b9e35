// Both alphabets of base 64; a run this long decodes to twelve bytes.
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-";
const IS_BASE64 = Uint8Array.from({ length: 128 }, (_, code) => (BASE64.includes(String.fromCharCode(code)) ? 1 : 0));
const SHORTEST_RUN = 16;
const SHORTEST_ROW = 11;
const WRAPPED_LINE = 40;
const LONGEST_GAP = 16;
const LINE_END = /^=?(?:\r?\n|\\n|\\r\\n)[ \t]{0,8}$/;
const HEX_RUN = /[0-9a-fA-F]{24,}/g;
const SPACED_HEX = /(?:[0-9a-fA-F]{2}[ :-]){11,}[0-9a-fA-F]{2}/g;
const ESCAPE =
  /%([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|\\u\{([0-9a-fA-F]{1,6})\}|&#[xX]([0-9a-fA-F]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos|colon|equals|sol|lowbar);/g;
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", colon: ":", equals: "=", sol: "/", lowbar: "_" },
};
// Zero width, direction, variation and joining marks.
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
const TAG = /[\u{E0020}-\u{E007E}]/gu;
const TAG_BASE = 0xe0000;

/** What the text reads as once compatible forms (full width, styled letters) and unseen characters are resolved. */
export function plainForm(text: string): string {
  if (isAscii(text)) return text;
  return text
    .replace(TAG, (tag) => String.fromCharCode((tag.codePointAt(0) ?? TAG_BASE) - TAG_BASE))
    .replace(UNSEEN, "")
    .normalize("NFKC");
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7e) return false;
  return true;
}

/**
 * The texts that parts of this one decode to: URL, JSON and HTML escapes, base 64 in both alphabets at all four
 * alignments (an encoded text may begin anywhere in a run), hexadecimal. Nothing is decided here; most are noise.
 */
export function decodings(text: string): string[] {
  const found = findRuns(text);
  const decoded = [unescaped(text), ...base64Decodings(found.runs), ...hexDecodings(text, found)];
  return decoded.filter((candidate) => candidate.length >= 8);
}

function unescaped(text: string): string {
  if (!/[%\\&]/.test(text)) return "";
  let isChanged = false;
  const result = text.replace(ESCAPE, (whole, ...groups: (string | undefined)[]) => {
    const char = charOf(groups);
    isChanged ||= char !== null;
    return char ?? whole;
  });
  return isChanged ? result : "";
}

function charOf(groups: readonly (string | undefined)[]): string | null {
  const [percent, unit, byte, braced, htmlHex, htmlDecimal, name] = groups;
  if (name !== undefined) return NAMED[name] ?? null;
  const hex = percent ?? unit ?? byte ?? braced ?? htmlHex;
  const code = hex === undefined ? Number(htmlDecimal) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

function base64Decodings(runs: readonly string[]): string[] {
  if (runs.length === 0) return [];
  return [0, 1, 2, 3].map((offset) => decodeAll(runs, offset, "base64"));
}

function hexDecodings(text: string, { runs, hasPairs }: Runs): string[] {
  const spaced = hasPairs || runs.length > 0 ? (text.match(SPACED_HEX) ?? []) : [];
  const hex = [...runs.flatMap((run) => run.match(HEX_RUN) ?? []), ...spaced.map((run) => run.replace(/[ :-]/g, ""))];
  if (hex.length === 0) return [];
  return [0, 1].map((offset) => decodeAll(hex, offset, "hex"));
}

function decodeAll(runs: readonly string[], offset: number, encoding: "base64" | "hex"): string {
  return withoutNul(runs.map((run) => Buffer.from(run.slice(offset), encoding).toString("latin1")).join("\n"));
}

type Runs = { readonly runs: readonly string[]; readonly hasPairs: boolean };

/**
 * The runs of base 64 (hexadecimal is among them), with the lines of one wrapped block put together again, and whether
 * there is a row of letter pairs as in `41 4b 49`. One pass by hand: most text holds neither, and this is the hot path.
 */
function findRuns(text: string): Runs {
  const runs: Run[] = [];
  let start = 0;
  let pairs = 0;
  let hasPairs = false;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0;
    if (code < 128 && IS_BASE64[code] === 1) continue;
    if (i - start >= SHORTEST_RUN) runs.push({ start, end: i });
    pairs = i - start === 2 ? pairs + 1 : 0;
    hasPairs ||= pairs >= SHORTEST_ROW;
    start = i + 1;
  }
  return { runs: joinWrapped(text, runs), hasPairs };
}

type Run = { readonly start: number; readonly end: number };

function joinWrapped(text: string, runs: readonly Run[]): string[] {
  const blocks: string[] = [];
  let last: Run | undefined;
  for (const run of runs) {
    const piece = text.slice(run.start, run.end);
    if (last !== undefined && continuesLine(text, last, run)) blocks.push(`${blocks.pop() ?? ""}${piece}`);
    else blocks.push(piece);
    last = run;
  }
  return blocks;
}

function continuesLine(text: string, last: Run, next: Run): boolean {
  if (last.end - last.start < WRAPPED_LINE || next.start - last.end > LONGEST_GAP) return false;
  return LINE_END.test(text.slice(last.end, next.start));
}

/** UTF-16, as some shells encode, is ASCII with NUL between the letters. */
function withoutNul(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}
