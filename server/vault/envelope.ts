import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import { AppError } from "@/server/domain/errors";

/** What a ciphertext belongs to. It opens nowhere else. */
export type Binding = {
  readonly orgId: string;
  /** The id of the row, or another name for the place it is kept in. */
  readonly record: string;
  readonly version: number;
  /** What it is, such as `arguments` or `credential`. */
  readonly kind: string;
};

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + 4;
const OVERHEAD = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;
const MAX_PLAINTEXT = 4_194_304;
const ALGORITHM = "aes-256-gcm";
/** Without `|`, so that two bindings never give the same additional data. */
const PART = /^[A-Za-z0-9_.:-]{1,128}$/;

function additionalData({ orgId, record, version, kind }: Binding): Buffer {
  const parts = [orgId, record, String(version), kind];
  if (!Number.isSafeInteger(version) || version < 0 || !parts.every((part) => PART.test(part))) {
    throw new Error("a binding is made of ids, a version and a kind");
  }
  return Buffer.from(parts.join("|"), "utf8");
}

const unreadable = (cause?: unknown) =>
  new AppError("unavailable", "Stored content cannot be opened.", { reason: "vault_content_unreadable" }, { cause });

/**
 * Encrypts with AES-256-GCM under a fresh nonce. The output is format byte, key version (4 bytes, big-endian), nonce,
 * tag and ciphertext.
 */
export function sealWith(key: KeyObject, keyVersion: number, binding: Binding, plaintext: Uint8Array): Buffer {
  if (plaintext.byteLength > MAX_PLAINTEXT) throw new AppError("too_large", "Content is too large to be stored.");
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(additionalData(binding));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(FORMAT, 0);
  header.writeUInt32BE(keyVersion, 1);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext]);
}

/** The version of the data key a sealed buffer names. Throws AppError `vault_content_unreadable`. */
export function keyVersionOf(sealed: Uint8Array): number {
  const buffer = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (buffer.length < OVERHEAD || buffer.readUInt8(0) !== FORMAT) throw unreadable();
  return buffer.readUInt32BE(1);
}

/** Decrypts what was sealed under this key and binding. Throws AppError `vault_content_unreadable` for all else. */
export function openWith(key: KeyObject, binding: Binding, sealed: Uint8Array): Buffer {
  keyVersionOf(sealed);
  const nonce = sealed.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const tag = sealed.subarray(HEADER_BYTES + NONCE_BYTES, OVERHEAD);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(additionalData(binding));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(OVERHEAD)), decipher.final()]);
  } catch (cause) {
    throw unreadable(cause);
  }
}
