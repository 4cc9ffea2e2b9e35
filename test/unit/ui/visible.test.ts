import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countAlarms, type Run, type VisibleOptions, visible } from "@/server/domain/visible/visible";

const boxes = (text: string, options?: VisibleOptions) =>
  visible(text, options).filter((run): run is Run & { kind: "box" } => run.kind === "box");
const loud = (text: string, options?: VisibleOptions) =>
  boxes(text, options)
    .filter((box) => !box.quiet)
    .map((box) => box.label);
const shownText = (runs: readonly Run[]) => runs.map((run) => (run.kind === "box" ? "" : run.text)).join("");

describe("every class of character without a shape becomes a box", () => {
  const classes: readonly [string, string, string][] = [
    ["control", "\u0000", "NUL"],
    ["escape", "\u001b", "ESC"],
    ["vertical tab", "\u000b", "VT"],
    ["delete", "\u007f", "DEL"],
    ["C1 control", "\u0085", "NEL"],
    ["lone carriage return", "\r", "CR"],
    ["format: zero-width space", "\u200b", "ZWSP"],
    ["format: joiner after a Latin letter", "\u200d", "ZWJ"],
    ["format: override", "\u202e", "RLO"],
    ["format: isolate", "\u2066", "LRI"],
    ["format: pop isolate", "\u2069", "PDI"],
    ["format: word joiner", "\u2060", "WJ"],
    ["format: soft hyphen", "\u00ad", "SHY"],
    ["format: byte order mark", "\ufeff", "BOM"],
    ["format: Arabic letter mark", "\u061c", "ALM"],
    ["format: interlinear annotation", "\ufff9", "IAA"],
    ["private use", "\ue000", "U+E000"],
    ["private use, beyond the basic plane", "\u{f0000}", "U+F0000"],
    ["unassigned", "\u{50000}", "U+50000"],
    ["noncharacter", "\uffff", "U+FFFF"],
    ["lone surrogate", "\ud800", "U+D800"],
    ["line separator", "\u2028", "LS"],
    ["paragraph separator", "\u2029", "PS"],
    ["odd space", "\u2003", "EMSP"],
    ["Ogham space", "\u1680", "OGSP"],
    ["default ignorable: grapheme joiner", "\u034f", "CGJ"],
    ["default ignorable: Hangul filler", "\u3164", "HF"],
    ["default ignorable: halfwidth filler", "\uffa0", "HWHF"],
    ["default ignorable: Mongolian vowel separator", "\u180e", "MVS"],
    ["default ignorable: selector", "\ufe00", "VS"],
    ["default ignorable, unassigned", "\u{e0fff}", "U+E0FFF"],
    ["blank Braille", "\u2800", "BRAILLE"],
    ["blank note head", "\u{1d159}", "NULLNOTE"],
  ];
  it.each(classes)("%s", (_, character, label) => {
    expect(loud(`pay${character}now`)).toEqual([label]);
    expect(shownText(visible(`pay${character}now`))).toBe("paynow");
  });

  it("names the character and its code point", () => {
    expect(boxes("a\u202eb")[0]?.name).toBe("right-to-left override, U+202E");
    expect(boxes("a\ue123b")[0]?.name).toBe("private-use character, U+E123");
  });

  it("leaves no such character in what is drawn as text, whatever comes in", () => {
    const invisible = /[[\p{C}\p{Zl}\p{Zp}\p{Zs}\u2800]--[ \t\n]]/v;
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const withoutEmoji = shownText(visible(text)).replaceAll(/\p{RGI_Emoji}/gv, "");
        expect(invisible.test(withoutEmoji)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it("leaves ordinary text as one piece", () => {
    const text = 'Dear team,\n\tplease pay 1,250.00 EUR — “today”.\n\nשלום café naïve Ωmega {"a": [1]}';
    expect(visible(text.replace("Ωmega", "Ωμέγα"))).toEqual([{ kind: "text", text: text.replace("Ωmega", "Ωμέγα") }]);
  });
});

describe("text hidden in other characters is decoded", () => {
  const asTags = (text: string) =>
    [...text].map((c) => String.fromCodePoint(0xe0000 + (c.codePointAt(0) ?? 0))).join("");
  const asSelectors = (text: string) =>
    [...new TextEncoder().encode(text)]
      .map((b) => String.fromCodePoint(b < 16 ? 0xfe00 + b : 0xe0100 + b - 16))
      .join("");

  it("in tag characters", () => {
    expect(boxes(`Nice photo!${asTags("Ignore")}`)).toMatchObject([{ label: "TAG ×6", reads: "Ignore", quiet: false }]);
  });
  it("in variation selectors after an emoji", () => {
    expect(boxes(`ok 😀${asSelectors("ignore all")}`)).toMatchObject([{ label: "VS ×10", reads: "ignore all" }]);
  });
  it("behind a black flag, which only three countries may follow", () => {
    expect(boxes(`🏴${asTags("send")}`)).toMatchObject([{ reads: "send" }]);
    expect(boxes("🏴󠁧󠁢󠁥󠁮󠁧󠁿")).toEqual([]);
  });
});

describe("what many languages need is drawn without alarm", () => {
  it.each([
    ["emoji with joiners and selectors", "👩‍👩‍👧‍👦 ❤️ 1️⃣ 🇩🇪 🏳️‍🌈 👍🏽"],
    ["no-break spaces", "10\u00a0000\u202f€"],
    ["a joiner in Persian", "می\u200cخواهم"],
    ["a joiner in Hindi", "क्\u200dष"],
    ["an ideographic space in Japanese", "東京\u3000大阪"],
    ["an ideographic variation", "葛\u{e0100}"],
    ["a text-style selector", "☎\ufe0e"],
    ["units with Greek letters", "5μs, 10kΩ and 2 μm"],
    ["Greek and Russian sentences beside Latin ones", "Αθήνα is Athens, Москва is Moscow"],
    ["Thai and Hebrew marks", "น้ำ שָׁלוֹם"],
    ["line ends of e-mail", "one\r\ntwo\r\n\r\nthree"],
  ])("%s", (_, text) => {
    expect(countAlarms(visible(text))).toBe(0);
  });

  it("but the joiner alone still shows, in grey", () => {
    expect(boxes("می\u200cخواهم")).toMatchObject([{ label: "ZWNJ", quiet: true }]);
  });
});

describe("white space that pushes text out of sight is counted", () => {
  it("many line breaks, with spaces between them as well", () => {
    expect(boxes(`end${"\n".repeat(41)}PS`)).toMatchObject([{ label: "41 LINES", endsLine: true }]);
    expect(boxes(`end${" \n\t".repeat(41)}PS`)).toMatchObject([{ label: "41 LINES" }]);
    expect(boxes("end\r\n\r\n\r\n\r\nPS")).toMatchObject([{ label: "4 LINES" }]);
  });
  it("many spaces", () => {
    expect(boxes(`a${" ".repeat(300)}b`)).toMatchObject([{ label: "SP ×300" }]);
    expect(boxes(`a${" ".repeat(11)}b`)).toEqual([]);
  });
  it("indentation of source text is left alone up to a limit", () => {
    expect(boxes(`{\n${" ".repeat(40)}"a"`, { source: true })).toEqual([]);
    expect(boxes(`{\n${" ".repeat(400)}"a"`, { source: true })).toMatchObject([{ label: "SP ×400" }]);
    expect(boxes(`x${" ".repeat(40)}"a"`, { source: true })).toMatchObject([{ label: "SP ×40" }]);
  });
  it("repeats of one hidden character", () => {
    expect(loud(`a${"\u200b".repeat(40)}b`)).toEqual(["ZWSP ×40"]);
  });
  it("a long run of no-break spaces is no longer ordinary", () => {
    expect(loud(`a${"\u00a0".repeat(80)}b`)).toEqual(["NBSP ×80"]);
  });
});

describe("a field of one line", () => {
  it("boxes line breaks and tabs, as in a forged header", () => {
    expect(loud("Invoice\r\nBcc: x@evil.example", { oneLine: true })).toEqual(["CR", "LF"]);
    expect(loud("a\tb", { oneLine: true })).toEqual(["TAB"]);
    expect(loud("a\n\n\n\n\nb", { oneLine: true })).toEqual(["5 LINES"]);
  });
  it("has none of these in a field of many lines", () => {
    expect(loud("a\r\nb\tc")).toEqual([]);
  });
});

describe("letters that imitate others", () => {
  it.each([
    ["Cyrillic in Latin", "p\u0430ypal", "Latin and Cyrillic letters in one word: а is U+0430"],
    ["Greek in Latin", "\u0391pple", "Latin and Greek letters in one word: Α is U+0391"],
    ["Armenian in Latin", "l\u0585gin", "Latin and Armenian letters in one word: օ is U+0585"],
    ["Cherokee in Latin", "\u13aaank", "Latin and Cherokee letters in one word: Ꭺ is U+13AA".replace("Ꭺ", "\u13aa")],
  ])("%s is underlined and explained", (_, word, note) => {
    expect(visible(`go to ${word}.com`)).toContainEqual({ kind: "mixed", text: word, note });
  });
  it("stacked and homeless combining marks are boxed", () => {
    expect(loud(`z${"\u0301".repeat(9)}`)).toEqual(["MARKS ×9"]);
    expect(loud("\u0338 a")).toEqual(["U+0338"]);
    expect(loud("a\u200b\u0338b")).toEqual(["ZWSP", "U+0338"]);
  });
});

// Work that grows with the square of the length would not come to an end in the time a test has.
it.each(["a\u200b", " \n", "\u0301a", "🏴\u{e0067}", "раурaль ", "\r "])(
  "half a megabyte of %j comes to an end",
  (unit) => {
    const text = unit.repeat(Math.ceil(500_000 / unit.length));
    expect(visible(text).length).toBeGreaterThan(0);
  },
);
