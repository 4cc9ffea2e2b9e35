import { type DataKeySource, DataKeys } from "@/server/vault/data-keys";
import { type Binding, keyVersionOf, openWith, sealWith } from "@/server/vault/envelope";
import type { Kek } from "@/server/vault/kek";
import { isMacFor, macFor } from "@/server/vault/macs";
import { Secret } from "@/server/vault/secret";

/** Seals and opens an organization's content under its own data key, and proves decisions and checkpoints. */
export class Vault {
  readonly #kek: Kek;
  readonly #keys: DataKeys;

  constructor(kek: Kek) {
    this.#kek = kek;
    this.#keys = new DataKeys(kek);
  }

  /** Throws AppError `vault_key_wrong`, `too_large`. */
  async seal(source: DataKeySource, binding: Binding, plaintext: Uint8Array): Promise<Buffer> {
    const { key, version } = await this.#keys.current(source, binding.orgId);
    return sealWith(key, version, binding, plaintext);
  }

  /** Throws AppError `vault_content_unreadable` for what was sealed elsewhere, `vault_key_wrong`, `vault_data_key_missing`. */
  async open(source: DataKeySource, binding: Binding, sealed: Uint8Array): Promise<Buffer> {
    const { key } = await this.#keys.version(source, binding.orgId, keyVersionOf(sealed));
    return openWith(key, binding, sealed);
  }

  /** As `open`, for what must never be printed. */
  async openSecret(source: DataKeySource, binding: Binding, sealed: Uint8Array): Promise<Secret> {
    const bytes = await this.open(source, binding, sealed);
    const secret = new Secret(bytes.toString("utf8"));
    bytes.fill(0);
    return secret;
  }

  /** Adds a data key for new content and returns its version. */
  async rotate(source: DataKeySource, orgId: string): Promise<number> {
    return this.#keys.rotate(source, orgId);
  }

  /** Binds a person's decision to the bytes decided upon; 32 bytes. */
  decisionMac(orgId: string, canonicalBytes: Uint8Array): Buffer {
    return macFor(this.#kek, "decision", orgId, canonicalBytes);
  }

  /** In constant time. */
  isDecisionMac(orgId: string, canonicalBytes: Uint8Array, mac: Uint8Array): boolean {
    return isMacFor(this.#kek, "decision", orgId, canonicalBytes, mac);
  }

  /** Signs an audit checkpoint; 32 bytes. */
  auditMac(orgId: string, canonicalBytes: Uint8Array): Buffer {
    return macFor(this.#kek, "audit", orgId, canonicalBytes);
  }

  /** In constant time. */
  isAuditMac(orgId: string, canonicalBytes: Uint8Array, mac: Uint8Array): boolean {
    return isMacFor(this.#kek, "audit", orgId, canonicalBytes, mac);
  }
}
