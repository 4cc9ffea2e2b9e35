/** A text with one kind of escape undone, and where each of its characters came from. */
export type View = {
  readonly text: string;
  /** The place in the original of each character, and of the end; null while nothing was undone. */
  readonly starts: readonly number[] | null;
  /** Characters are UTF-8 bytes. */
  readonly isBytes: boolean;
};

export type Range = readonly [start: number, end: number];

type Escape = {
  /** Without this character there is nothing to undo. */
  readonly sign: string;
  readonly token: RegExp;
  readonly read: (token: string) => string;
  readonly givesBytes: boolean;
};

const fromCodePoint = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : "");

const percent: Escape = {
  sign: "%",
  // What is not ASCII becomes its bytes, so that half-encoded texts are found as well.
  token: /%[0-9a-f]{2}|[^\p{ASCII}]/giu,
  read: (token) =>
    token.startsWith("%")
      ? String.fromCharCode(Number.parseInt(token.slice(1), 16))
      : Buffer.from(token, "utf8").toString("latin1"),
  givesBytes: true,
};

const percentOfBytes: Escape = { ...percent, token: /%[0-9a-f]{2}/gi };

const JSON_ESCAPES: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const json: Escape = {
  sign: "\\",
  token: /\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|["'\\/bfnrt])/gi,
  read: (token) =>
    /^\\[ux]./i.test(token)
      ? String.fromCharCode(Number.parseInt(token.slice(2), 16))
      : (JSON_ESCAPES[token.slice(1)] ?? token.slice(1)),
  givesBytes: false,
};

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

const html: Escape = {
  sign: "&",
  token: /&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos|nbsp);/gi,
  read: (token) => {
    const name = token.slice(1, -1).toLowerCase();
    if (name.startsWith("#x")) return fromCodePoint(Number.parseInt(name.slice(2), 16));
    return name.startsWith("#") ? fromCodePoint(Number.parseInt(name.slice(1), 10)) : (HTML_ENTITIES[name] ?? "");
  },
  givesBytes: false,
};

/** Line breaks inside base64 and hexadecimal, as in mail. */
const spaces: Escape = { sign: "", token: /\s+/g, read: () => "", givesBytes: false };

function undo(view: View, kind: Escape): View | null {
  if (!view.text.includes(kind.sign)) return null;
  const parts: string[] = [];
  const starts: number[] = [];
  let at = 0;
  const keep = (until: number) => {
    parts.push(view.text.slice(at, until));
    for (let index = at; index < until; index++) starts.push(placeOf(view, index));
  };
  for (const match of view.text.matchAll(kind.token)) {
    keep(match.index);
    const read = readIn(view, kind, match[0]);
    parts.push(read);
    for (let index = 0; index < read.length; index++) starts.push(placeOf(view, match.index));
    at = match.index + match[0].length;
  }
  if (at === 0) return null;
  keep(view.text.length);
  starts.push(placeOf(view, view.text.length));
  return { text: parts.join(""), starts, isBytes: view.isBytes || kind.givesBytes };
}

/** What a token stands for, in the characters of its view. */
function readIn(view: View, kind: Escape, token: string): string {
  const read = kind.read(token);
  return view.isBytes && !kind.givesBytes ? Buffer.from(read, "utf8").toString("latin1") : read;
}

const placeOf = (view: View, index: number): number => view.starts?.[index] ?? index;

/** Where `[start, end)` of a view lies in the original, whole escapes included. */
export function originOf(view: View, start: number, end: number): Range {
  const last = placeOf(view, end - 1);
  let next = end;
  while (next < view.text.length && placeOf(view, next) <= last) next++;
  return [placeOf(view, start), placeOf(view, next)];
}

const undoAll = (view: View): View[] =>
  [view.isBytes ? percentOfBytes : percent, json, html].flatMap((kind) => undo(view, kind) ?? []);

/** The text as it stands, and with percent, JSON and HTML escapes undone up to twice, in any order. */
export function viewsOf(text: string): View[] {
  const whole: View = { text, starts: null, isBytes: false };
  const once = undoAll(whole);
  return [whole, ...once, ...once.flatMap(undoAll)];
}

export const withoutSpaces = (view: View): View | null => undo(view, spaces);
