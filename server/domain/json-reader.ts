import type { JsonObject, JsonValue } from "@/server/domain/json";
import { type PathSegment, showPath } from "@/server/domain/text";

/** What a body was refused for; on the wire as `code`, prefixed `json_`. */
export type StrictJsonRule =
  | "too_large"
  | "byte_order_mark"
  | "invalid_utf8"
  | "nul"
  | "syntax"
  | "trailing_text"
  | "too_deep"
  | "duplicate_key"
  | "forbidden_key"
  | "lone_surrogate"
  | "unsafe_number"
  | "not_an_object";

const MAX_DIGITS = 17;
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const LITERALS = { t: ["true", true], f: ["false", false], n: ["null", null] } as const;
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

// Sticky and free of nested repetition, so each reads its token once.
const SPACE = /[ \t\n\r]*/y;
// From the space upwards, without the quote and the backslash.
const PLAIN_CHARACTERS = /[ !#-[\]-\uffff]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const HEX_UNIT = /[0-9a-fA-F]{4}/y;

/** A recursive-descent reader over one text. Recursion is bounded by `maxDepth`. Use it through `parseStrictJson`. */
export class JsonReader {
  private at = 0;
  private readonly path: PathSegment[] = [];
  private readonly text: string;
  private readonly maxDepth: number;
  private readonly refuse: (rule: StrictJsonRule, path: string) => Error;

  constructor(text: string, maxDepth: number, refuse: (rule: StrictJsonRule, path: string) => Error) {
    this.text = text;
    this.maxDepth = maxDepth;
    this.refuse = refuse;
  }

  readDocument(): JsonValue {
    this.skipSpace();
    const value = this.readValue(0);
    this.skipSpace();
    if (this.at < this.text.length) throw this.fault("trailing_text");
    return value;
  }

  private readValue(depth: number): JsonValue {
    const first = this.text[this.at];
    switch (first) {
      case "{":
        return this.readObject(depth + 1);
      case "[":
        return this.readArray(depth + 1);
      case '"':
        return this.readString();
      case "t":
      case "f":
      case "n":
        return this.readLiteral(first);
      default:
        return this.readNumber();
    }
  }

  private readObject(depth: number): JsonObject {
    this.open(depth);
    const object: JsonObject = {};
    if (this.take("}")) return object;
    do {
      this.skipSpace();
      if (this.text[this.at] !== '"') throw this.fault("syntax");
      const key = this.readString();
      this.path.push(key);
      if (FORBIDDEN_KEYS.has(key)) throw this.fault("forbidden_key");
      if (Object.hasOwn(object, key)) throw this.fault("duplicate_key");
      this.expect(":");
      this.skipSpace();
      object[key] = this.readValue(depth);
      this.path.pop();
    } while (this.take(","));
    this.expect("}");
    return object;
  }

  private readArray(depth: number): JsonValue[] {
    this.open(depth);
    const items: JsonValue[] = [];
    if (this.take("]")) return items;
    do {
      this.path.push(items.length);
      this.skipSpace();
      items.push(this.readValue(depth));
      this.path.pop();
    } while (this.take(","));
    this.expect("]");
    return items;
  }

  private readString(): string {
    this.at += 1;
    let text = this.match(PLAIN_CHARACTERS);
    let hasEscape = false;
    while (this.text[this.at] === "\\") {
      hasEscape = true;
      text += this.readEscape() + this.match(PLAIN_CHARACTERS);
    }
    if (this.text[this.at] !== '"') throw this.fault("syntax");
    this.at += 1;
    // Valid UTF-8 cannot carry a lone surrogate, so only an escape can.
    if (hasEscape && !text.isWellFormed()) throw this.fault("lone_surrogate");
    return text;
  }

  private readEscape(): string {
    const letter = this.text[this.at + 1] ?? "";
    this.at += 2;
    if (letter !== "u") {
      const short = SHORT_ESCAPES[letter];
      if (short === undefined) throw this.fault("syntax");
      return short;
    }
    const digits = this.match(HEX_UNIT);
    if (digits === "") throw this.fault("syntax");
    const unit = Number.parseInt(digits, 16);
    if (unit === 0) throw this.fault("nul");
    return String.fromCharCode(unit);
  }

  private readNumber(): number {
    const literal = this.match(NUMBER);
    if (literal === "") throw this.fault("syntax");
    const value = Number(literal);
    const digits = significantDigits(literal);
    const unsafe = !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
    const vanished = value === 0 && digits > 0;
    if (unsafe || vanished || digits > MAX_DIGITS) throw this.fault("unsafe_number");
    return value;
  }

  private readLiteral(first: keyof typeof LITERALS): boolean | null {
    const [word, value] = LITERALS[first];
    if (!this.text.startsWith(word, this.at)) throw this.fault("syntax");
    this.at += word.length;
    return value;
  }

  private open(depth: number): void {
    if (depth > this.maxDepth) throw this.fault("too_deep");
    this.at += 1;
  }

  private take(mark: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== mark) return false;
    this.at += 1;
    return true;
  }

  private expect(mark: string): void {
    if (!this.take(mark)) throw this.fault("syntax");
  }

  private skipSpace(): void {
    SPACE.lastIndex = this.at;
    SPACE.test(this.text);
    this.at = SPACE.lastIndex;
  }

  private match(token: RegExp): string {
    token.lastIndex = this.at;
    const found = token.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private fault(rule: StrictJsonRule): Error {
    return this.refuse(rule, showPath(this.path));
  }
}

/** Digits of the number without sign, point, exponent and the zeros that only place the point. Zero has none. */
function significantDigits(literal: string): number {
  const [mantissa = ""] = literal.split(/[eE]/, 1);
  const digits = mantissa.replace(/[-.]/g, "").replace(/^0+/, "");
  return digits.length <= MAX_DIGITS ? digits.length : withoutTrailingZeros(digits).length;
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
