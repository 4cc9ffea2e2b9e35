import { createSecretKey, type KeyObject } from "node:crypto";
import { AppError } from "@/server/domain/errors";

declare const isKek: unique symbol;
/** The key over all keys, as a key object: it prints as nothing and cannot be turned into text by accident. */
export type Kek = KeyObject & { readonly [isKek]: true };

const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{43}=$/;

const missing = () =>
  new AppError(
    "unavailable",
    "No key is set, so nothing can be encrypted or read. Set CONNECTIONS_KEK to 32 random bytes in base64, such as the output of: openssl rand -base64 32",
    { reason: "vault_key_missing" },
  );

/**
 * Reads the key-encrypting key from 32 bytes in base64.
 * Throws AppError `vault_key_missing` without one, `vault_key_malformed` for anything else.
 */
export function kekFrom(base64: string | undefined): Kek {
  if (base64 === undefined || base64 === "") throw missing();
  const bytes = Buffer.from(base64, "base64");
  if (!BASE64_OF_32_BYTES.test(base64) || bytes.length !== 32) {
    throw new AppError("unavailable", "CONNECTIONS_KEK must be 32 bytes in base64.", { reason: "vault_key_malformed" });
  }
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key as Kek;
}
