/**
 * The written form of a key, the same for every kind: `csk_<kind>_<organization and key id>_<secret>_<checksum>`.
 * The two ULIDs stand side by side, the secret has 256 bits in base 62, and the checksum (CRC-32 of all before it)
 * lets typing errors and secret scanners be sure without a look-up. Keys name their organization, so no table spans
 * tenants.
 */
const KINDS = {
  agent: { tag: "agent", idPrefix: "key" },
  user: { tag: "user", idPrefix: "pat" },
  setup: { tag: "setup", idPrefix: "lnk" },
} as const;
export type KeyKind = keyof typeof KINDS;

export const SECRET_LENGTH = 43;
export const SECRET_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECKSUM_LENGTH = 6;
const ULID = "[0-9A-HJKMNP-TV-Z]{26}";
const SHAPE = new RegExp(
  `^csk_(agent|user|setup)_(${ULID})(${ULID})_([0-9A-Za-z]{${SECRET_LENGTH}})_([0-9A-Za-z]{6})$`,
);
const MAX_KEY_LENGTH = 140;

export type ParsedKey = {
  readonly kind: KeyKind;
  readonly orgId: string;
  /** The id of the stored row: `key_…`, `pat_…` or `lnk_…`. */
  readonly id: string;
  readonly secret: string;
};

const ulidOf = (id: string) => id.slice(id.indexOf("_") + 1);

/** Writes a key. `secret` has 43 characters of `SECRET_ALPHABET`, each drawn at random. */
export function formatKey({ kind, orgId, id, secret }: ParsedKey): string {
  const body = `csk_${KINDS[kind].tag}_${ulidOf(orgId)}${ulidOf(id)}_${secret}`;
  return `${body}_${checksumOf(body)}`;
}

/** Reads a key; null if it has another form or was mistyped. What it names need not exist. */
export function parseKey(text: string): ParsedKey | null {
  if (text.length > MAX_KEY_LENGTH) return null;
  const match = SHAPE.exec(text);
  if (match === null) return null;
  const [, kind, org, id, secret, checksum] = match as unknown as [string, KeyKind, string, string, string, string];
  if (checksumOf(text.slice(0, -CHECKSUM_LENGTH - 1)) !== checksum) return null;
  return { kind, orgId: `org_${org}`, id: `${KINDS[kind].idPrefix}_${id}`, secret };
}

/** CRC-32 of ASCII text as six digits of base 62. GitHub and npm use the same for their tokens. */
export function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = SECRET_ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** CRC-32 (IEEE 802.3) of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
