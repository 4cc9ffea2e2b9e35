import type { OrgSql, OrgTx } from "@/server/db/with-org";

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('controls:' || $1, 0))::text";
const SHARED = "SELECT pg_advisory_xact_lock_shared(hashtextextended('controls:' || $1, 0))::text";

/**
 * Waits for the claims that are under way and holds new ones back until this transaction ends. Whatever may stop an
 * effect takes it first, before any row, so that no effect starts after the change is acknowledged.
 */
export async function holdClaims(tx: OrgTx): Promise<void> {
  await tx.$queryRawUnsafe(LOCK, tx.orgId);
}

/** The same over a plain connection. */
export async function holdClaimsSql(q: OrgSql): Promise<void> {
  await q.query(LOCK, [q.orgId]);
}

/** Keeps the controls as they are until this transaction ends; claims go on. */
export async function shareClaimsSql(q: OrgSql): Promise<void> {
  await q.query(SHARED, [q.orgId]);
}
