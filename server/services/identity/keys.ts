import { createHash, randomInt } from "node:crypto";
import { newId } from "@/server/db/new-id";
import { formatKey, type KeyKind, SECRET_ALPHABET, SECRET_LENGTH } from "@/server/domain/key-format";

const ID_KINDS = { agent: "agentKey", user: "personalToken", setup: "setupLink" } as const;

/** 256 bits from the system's generator, in base 62. */
export function newSecret(): string {
  return Array.from({ length: SECRET_LENGTH }, () => SECRET_ALPHABET.charAt(randomInt(SECRET_ALPHABET.length))).join(
    "",
  );
}

/** What is stored of a secret. It has 256 random bits, so a plain hash cannot be searched. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret, "utf8").digest();
}

export type NewKey = {
  /** The id of the row to store. */
  readonly id: string;
  /** The whole key: shown once, never stored. */
  readonly key: string;
  /** For the column `secret_hash`. */
  readonly hash: Buffer<ArrayBuffer>;
};

/** Makes a key of one kind for an organization. Nothing is stored yet. */
export function newKey(kind: KeyKind, orgId: string): NewKey {
  const id = newId(ID_KINDS[kind]);
  const secret = newSecret();
  return { id, key: formatKey({ kind, orgId, id, secret }), hash: Buffer.from(hashSecret(secret)) };
}
