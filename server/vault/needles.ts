/** What to look for in a text, however it is escaped around it. */
export type Needles = {
  /** The secrets as they stand, for texts in UTF-16. */
  readonly plain: readonly string[];
  /** The same as UTF-8 bytes, one character a byte, for texts that were percent-decoded. */
  readonly bytes: readonly string[];
  /** Base64 and its URL alphabet at each alignment, of UTF-8 and of UTF-16LE. */
  readonly base64: readonly string[];
  /** Lower-case hexadecimal. */
  readonly hex: readonly string[];
  /** An upper bound, in characters, for how long one secret can be in any encoding that is looked for. */
  readonly longest: number;
};

const MIN_BYTES = 8;
/** `&amp;#x000041;` and `%2525xx` three times over are the longest spellings of one UTF-16 unit. */
const LONGEST_SPELLING = 24;

const unique = (texts: readonly string[]) => [...new Set(texts)];

/**
 * Base64 of bytes that stand somewhere inside a longer text: the characters that do not depend on the neighbours, for
 * each of the three alignments.
 */
function alignedBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    const own = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** Throws for a secret under 8 bytes: masking it would mask ordinary text. */
export function needlesFor(secrets: readonly string[]): Needles {
  const utf8 = secrets.map((secret) => Buffer.from(secret, "utf8"));
  if (utf8.some((bytes) => bytes.length < MIN_BYTES)) throw new Error(`a secret to mask needs ${MIN_BYTES} bytes`);
  const utf16 = secrets.map((secret) => Buffer.from(secret, "utf16le"));
  // A form writes spaces as plus signs.
  const plain = unique(secrets.flatMap((secret) => [secret, secret.replaceAll(" ", "+")]));
  return {
    plain,
    bytes: plain.map((text) => Buffer.from(text, "utf8").toString("latin1")),
    base64: unique([...utf8, ...utf16].flatMap(alignedBase64)),
    hex: unique(utf8.map((bytes) => bytes.toString("hex"))),
    longest: LONGEST_SPELLING * Math.max(0, ...secrets.map((secret) => secret.length)),
  };
}
