const C0 =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
    " ",
  );

const C0_NAMES =
  "null|start of heading|start of text|end of text|end of transmission|enquiry|acknowledge|bell|backspace|tab|line break|vertical tab|form feed|carriage return|shift out|shift in|data link escape|device control one|device control two|device control three|device control four|negative acknowledge|synchronous idle|end of transmission block|cancel|end of medium|substitute|escape|file separator|group separator|record separator|unit separator".split(
    "|",
  );

/** Code point: label in the box, name as spoken. */
const NAMED: ReadonlyMap<number, readonly [label: string, name: string]> = new Map([
  [0x7f, ["DEL", "delete"]],
  [0x85, ["NEL", "next line"]],
  [0xa0, ["NBSP", "no-break space"]],
  [0xad, ["SHY", "soft hyphen"]],
  [0x34f, ["CGJ", "combining grapheme joiner"]],
  [0x61c, ["ALM", "Arabic letter mark"]],
  [0x115f, ["HCF", "Hangul choseong filler"]],
  [0x1160, ["HJF", "Hangul jungseong filler"]],
  [0x1680, ["OGSP", "Ogham space mark"]],
  [0x17b4, ["KIV", "Khmer inherent vowel"]],
  [0x17b5, ["KIV", "Khmer inherent vowel"]],
  [0x180b, ["FVS1", "Mongolian variation selector one"]],
  [0x180c, ["FVS2", "Mongolian variation selector two"]],
  [0x180d, ["FVS3", "Mongolian variation selector three"]],
  [0x180e, ["MVS", "Mongolian vowel separator"]],
  [0x2000, ["NQSP", "en quad"]],
  [0x2001, ["MQSP", "em quad"]],
  [0x2002, ["ENSP", "en space"]],
  [0x2003, ["EMSP", "em space"]],
  [0x2004, ["3/MSP", "three-per-em space"]],
  [0x2005, ["4/MSP", "four-per-em space"]],
  [0x2006, ["6/MSP", "six-per-em space"]],
  [0x2007, ["FSP", "figure space"]],
  [0x2008, ["PSP", "punctuation space"]],
  [0x2009, ["THSP", "thin space"]],
  [0x200a, ["HSP", "hair space"]],
  [0x200b, ["ZWSP", "zero-width space"]],
  [0x200c, ["ZWNJ", "zero-width non-joiner"]],
  [0x200d, ["ZWJ", "zero-width joiner"]],
  [0x200e, ["LRM", "left-to-right mark"]],
  [0x200f, ["RLM", "right-to-left mark"]],
  [0x2028, ["LS", "line separator"]],
  [0x2029, ["PS", "paragraph separator"]],
  [0x202a, ["LRE", "left-to-right embedding"]],
  [0x202b, ["RLE", "right-to-left embedding"]],
  [0x202c, ["PDF", "pop directional formatting"]],
  [0x202d, ["LRO", "left-to-right override"]],
  [0x202e, ["RLO", "right-to-left override"]],
  [0x202f, ["NNBSP", "narrow no-break space"]],
  [0x205f, ["MMSP", "medium mathematical space"]],
  [0x2060, ["WJ", "word joiner"]],
  [0x2061, ["FA", "function application"]],
  [0x2062, ["IT", "invisible times"]],
  [0x2063, ["IS", "invisible separator"]],
  [0x2064, ["IP", "invisible plus"]],
  [0x2066, ["LRI", "left-to-right isolate"]],
  [0x2067, ["RLI", "right-to-left isolate"]],
  [0x2068, ["FSI", "first strong isolate"]],
  [0x2069, ["PDI", "pop directional isolate"]],
  [0x206a, ["ISS", "inhibit symmetric swapping"]],
  [0x206b, ["ASS", "activate symmetric swapping"]],
  [0x206c, ["IAFS", "inhibit Arabic form shaping"]],
  [0x206d, ["AAFS", "activate Arabic form shaping"]],
  [0x206e, ["NADS", "national digit shapes"]],
  [0x206f, ["NODS", "nominal digit shapes"]],
  [0x2800, ["BRAILLE", "blank Braille pattern"]],
  [0x3000, ["IDSP", "ideographic space"]],
  [0x3164, ["HF", "Hangul filler"]],
  [0xfeff, ["BOM", "byte order mark"]],
  [0xffa0, ["HWHF", "halfwidth Hangul filler"]],
  [0xfff9, ["IAA", "interlinear annotation anchor"]],
  [0xfffa, ["IAS", "interlinear annotation separator"]],
  [0xfffb, ["IAT", "interlinear annotation terminator"]],
  [0x16fe4, ["KSF", "Khitan small script filler"]],
  [0x1d159, ["NULLNOTE", "musical null notehead"]],
]);

const CATEGORIES: readonly (readonly [RegExp, string])[] = [
  [/^\p{Cc}$/u, "control character"],
  [/^\p{Cs}$/u, "half of a character"],
  [/^\p{Co}$/u, "private-use character"],
  [/^\p{Cn}$/u, "unassigned character"],
  [/^\p{Zs}$/u, "unusual space"],
];

/** `U+202E`, the way Unicode writes it. */
export function codePointName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A short label for the box and the full name, of a character that would not show by itself. */
export function nameOf(code: number): { label: string; name: string } {
  const hex = codePointName(code);
  const known = code < 32 ? ([C0[code] ?? hex, C0_NAMES[code] ?? "control"] as const) : NAMED.get(code);
  if (known) return { label: known[0], name: `${known[1]}, ${hex}` };
  const character = String.fromCodePoint(code);
  const category = CATEGORIES.find(([pattern]) => pattern.test(character))?.[1] ?? "invisible character";
  return { label: hex, name: `${category}, ${hex}` };
}
