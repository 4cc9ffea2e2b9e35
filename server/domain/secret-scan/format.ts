import { checksumOf } from "@/server/domain/key-format";

/** A documented shape of a credential. */
export type SecretFormat = {
  /** What it is, for people. */
  readonly kind: string;
  /** A text that every such credential holds; where it occurs, `pattern` is tried. Case does not count here. */
  readonly anchor: string;
  /** Sticky, tried at the anchor; looks back and ahead over a bounded number of characters. */
  readonly pattern: RegExp;
  /** Where in the match the issued part begins. There a stand-in such as `xxxxxxxx` is told from a credential. */
  readonly bodyAt?: number;
  /** True for what is certainly genuine, whatever it looks like. */
  readonly verify?: (match: string) => boolean;
};

export type FormatRow = readonly [kind: string, prefixes: string, body: string, where?: "lone"];

// Not inside a longer word or token: for prefixes that ordinary words end in.
const LONE = "(?<![A-Za-z0-9_-])";

/** A format of each prefix (separated by spaces) followed by a body. `lone` prefixes stand at the start of a word. */
export function formatsOf(rows: readonly FormatRow[]): SecretFormat[] {
  return rows.flatMap(([kind, prefixes, body, where]) =>
    prefixes.split(" ").map((anchor) => ({
      kind,
      anchor,
      bodyAt: anchor.length,
      pattern: new RegExp(`${where === "lone" ? LONE : ""}${escaped(anchor)}${body}`, "y"),
    })),
  );
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

const STAND_IN = /^[xX0*#._-]*$|x{6}|\*{4}|\.{3}|your[_-]|placeholder|redacted/i;

/** Whether the part after the prefix only stands where a credential would: `xxxxxxxx`, `your_key_here`. */
export function isStandIn(body: string): boolean {
  return STAND_IN.test(body);
}

const CHECKSUM_LENGTH = 6;

/** GitHub and npm end their tokens in the CRC-32, in base 62, of the part between prefix and checksum. */
export function hasValidChecksum(token: string): boolean {
  const body = token.slice(token.lastIndexOf("_") + 1);
  return checksumOf(body.slice(0, -CHECKSUM_LENGTH)) === body.slice(-CHECKSUM_LENGTH);
}
