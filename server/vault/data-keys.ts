import { createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { AppError } from "@/server/domain/errors";
import { type Binding, openWith, sealWith } from "@/server/vault/envelope";
import type { Kek } from "@/server/vault/kek";
import { LruMap } from "@/server/vault/lru-map";

export type WrappedDataKey = { readonly version: number; readonly wrapped: Uint8Array };

/** Where an organization's wrapped data keys are kept; `server/db/data-keys.ts` is the one in use. */
export type DataKeySource = {
  /**
   * `isCommitted` is false while the row was written by the caller's own transaction: a key that a rollback may take
   * back is used but not remembered.
   */
  readonly load: (
    orgId: string,
    version: number | "current",
  ) => Promise<(WrappedDataKey & { readonly isCommitted: boolean }) | null>;
  /** Stores it unless that version exists, and returns the one that is stored. */
  readonly create: (orgId: string, key: WrappedDataKey) => Promise<WrappedDataKey>;
};

export type DataKey = { readonly version: number; readonly key: KeyObject };

const bindingOf = (orgId: string, version: number): Binding => ({ orgId, record: "data_key", version, kind: "kek" });

const keyMissing = () =>
  new AppError("unavailable", "The organization's data key is missing.", { reason: "vault_data_key_missing" });

/** A fresh random data key, wrapped by the KEK. */
function makeDataKey(kek: Kek, orgId: string, version: number): WrappedDataKey {
  const bytes = randomBytes(32);
  const wrapped = sealWith(kek, 0, bindingOf(orgId, version), bytes);
  bytes.fill(0);
  return { version, wrapped };
}

function unwrap(kek: Kek, orgId: string, stored: WrappedDataKey): DataKey {
  try {
    const bytes = openWith(kek, bindingOf(orgId, stored.version), stored.wrapped);
    const key = createSecretKey(bytes);
    bytes.fill(0);
    return { version: stored.version, key };
  } catch (cause) {
    throw new AppError(
      "unavailable",
      "CONNECTIONS_KEK is not the key with which this organization's data was encrypted.",
      { reason: "vault_key_wrong" },
      { cause },
    );
  }
}

/** Remembers unwrapped keys, by organization and version, and for a short while which version is current. */
export class DataKeys {
  readonly #kek: Kek;
  readonly #keys = new LruMap<string, DataKey>(1_000);
  readonly #current = new LruMap<string, { readonly version: number; readonly until: number }>(1_000);
  readonly #now: () => number;

  constructor(kek: Kek, now: () => number = Date.now) {
    this.#kek = kek;
    this.#now = now;
  }

  /** The key for new content; made if the organization has none. Throws AppError `vault_key_wrong`. */
  async current(source: DataKeySource, orgId: string): Promise<DataKey> {
    const known = this.#current.get(orgId);
    const remembered = known && known.until > this.#now() ? this.#keys.get(nameOf(orgId, known.version)) : undefined;
    if (remembered) return remembered;
    const stored = await source.load(orgId, "current");
    if (!stored) return unwrap(this.#kek, orgId, await source.create(orgId, makeDataKey(this.#kek, orgId, 1)));
    const key = unwrap(this.#kek, orgId, stored);
    if (stored.isCommitted) this.#remember(orgId, key);
    return key;
  }

  /** The key that content names. Throws AppError `vault_data_key_missing`, `vault_key_wrong`. */
  async version(source: DataKeySource, orgId: string, version: number): Promise<DataKey> {
    const remembered = this.#keys.get(nameOf(orgId, version));
    if (remembered) return remembered;
    const stored = await source.load(orgId, version);
    if (!stored || stored.version !== version) throw keyMissing();
    const key = unwrap(this.#kek, orgId, stored);
    if (stored.isCommitted) this.#keys.set(nameOf(orgId, version), key);
    return key;
  }

  /** Adds the next version and uses it for new content from now on; older ones go on opening what they sealed. */
  async rotate(source: DataKeySource, orgId: string): Promise<number> {
    const stored = await source.load(orgId, "current");
    const made = await source.create(orgId, makeDataKey(this.#kek, orgId, (stored?.version ?? 0) + 1));
    this.#current.delete(orgId);
    return made.version;
  }

  #remember(orgId: string, key: DataKey): void {
    this.#keys.set(nameOf(orgId, key.version), key);
    this.#current.set(orgId, { version: key.version, until: this.#now() + CURRENT_FOR_MS });
  }
}

/** How long another replica may go on sealing under the previous version after a rotation. */
const CURRENT_FOR_MS = 60_000;

const nameOf = (orgId: string, version: number) => `${orgId}|${version}`;
