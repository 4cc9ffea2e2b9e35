import { type OrgSql, type OrgTx, withOrgSql } from "@/server/db/with-org";

type Stored = { readonly version: number; readonly wrapped: Uint8Array };
type Ask = (text: string, values: readonly unknown[]) => Promise<readonly (Stored & { is_committed: boolean })[]>;

/** What the vault needs to find and add an organization's wrapped data keys. */
export type DataKeyStore = {
  readonly load: (
    orgId: string,
    version: number | "current",
  ) => Promise<(Stored & { readonly isCommitted: boolean }) | null>;
  readonly create: (orgId: string, key: Stored) => Promise<Stored>;
};

// A row of this very transaction may still be rolled back: the vault must not remember its key.
const LOAD = `
  SELECT version, wrapped, xmin IS DISTINCT FROM pg_current_xact_id_if_assigned()::xid AS is_committed
  FROM data_key WHERE org_id = $1 AND ($2::int IS NULL OR version = $2::int) ORDER BY version DESC LIMIT 1`;
const CREATE = `
  INSERT INTO data_key (org_id, version, wrapped) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
  RETURNING version, wrapped, false AS is_committed`;

async function load(ask: Ask, orgId: string, version: number | "current") {
  const [row] = await ask(LOAD, [orgId, version === "current" ? null : version]);
  return row ? { version: row.version, wrapped: row.wrapped, isCommitted: row.is_committed } : null;
}

/** Whoever comes second gets the key of whoever came first: the insert waits for that transaction's end. */
async function create(ask: Ask, orgId: string, key: Stored): Promise<Stored> {
  const [made] = await ask(CREATE, [orgId, key.version, key.wrapped]);
  const stored = made ?? (await load(ask, orgId, key.version));
  if (!stored) throw new Error("a data key was neither stored nor found");
  return { version: stored.version, wrapped: stored.wrapped };
}

const storeOver = (ask: Ask): DataKeyStore => ({
  load: (orgId, version) => load(ask, orgId, version),
  create: (orgId, key) => create(ask, orgId, key),
});

/** The data keys as this transaction sees them. */
export const dataKeysOf = (tx: OrgTx): DataKeyStore => storeOver((text, values) => tx.$queryRawUnsafe(text, ...values));

/** The same over a plain connection. */
export const dataKeysOfSql = (q: OrgSql): DataKeyStore =>
  storeOver(async (text, values) => (await q.query<Stored & { is_committed: boolean }>(text, values)).rows);

/** For callers outside a transaction: each question is one of its own. */
export const dataKeySource: DataKeyStore = {
  load: (orgId, version) => withOrgSql(orgId, (q) => dataKeysOfSql(q).load(orgId, version)),
  create: (orgId, key) => withOrgSql(orgId, (q) => dataKeysOfSql(q).create(orgId, key)),
};
