import { env } from "@/server/env";
import type { DataKeySource } from "@/server/vault/data-keys";
import type { Binding } from "@/server/vault/envelope";
import { kekFrom } from "@/server/vault/kek";
import { Vault } from "@/server/vault/vault";

let current: { readonly vault: Vault; readonly base64: string | undefined } | undefined;

/** The vault under the key of the environment. Throws AppError `vault_key_missing`: nothing is stored or read. */
export function vault(): Vault {
  const base64 = env().CONNECTIONS_KEK;
  if (current?.base64 === base64 && current) return current.vault;
  current = { vault: new Vault(kekFrom(base64)), base64 };
  return current.vault;
}

/** Encrypts content for the place it is kept in. Throws AppError. */
export const sealForOrg = async (source: DataKeySource, binding: Binding, plaintext: Uint8Array): Promise<Buffer> =>
  vault().seal(source, binding, plaintext);

/** Opens content sealed for exactly this place. Throws AppError. */
export const openForOrg = async (source: DataKeySource, binding: Binding, sealed: Uint8Array): Promise<Buffer> =>
  vault().open(source, binding, sealed);
