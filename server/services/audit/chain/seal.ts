import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { checkpointOf } from "@/server/services/audit/chain/checkpoint";
import { extend, genesisOf, type Head, type Link } from "@/server/services/audit/chain/hashes";

const BATCH = 5_000;
const MAX_BATCHES = 200;

/** The chain does not end where its last checkpoint says. What was done to it must stay to be seen, so it is not continued. */
export class BrokenChainError extends Error {
  override readonly name = "BrokenChainError";
}

/**
 * Gives every recorded event its place in the organization's chain and returns how many there were. One sealer works on a
 * chain at a time: another leaves it alone, or with `wait` takes its turn. An event is seen once its transaction has
 * committed, so whatever happened before another in the database comes before it in the chain.
 * Throws BrokenChainError, AppError `vault_key_missing`.
 */
export async function sealOrganization(orgId: string, options: { readonly wait?: boolean } = {}): Promise<number> {
  let sealed = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const count = await withOrgSql(orgId, (q) => sealBatch(q, options.wait ?? false));
    sealed += count;
    if (count < BATCH) break;
  }
  return sealed;
}

async function sealBatch(q: OrgSql, wait: boolean): Promise<number> {
  if (!(await hasTurn(q, wait))) return 0;
  const { rows } = await q.query<{ event_id: string; leaf: Buffer }>(
    `SELECT u.event_id, e.leaf FROM audit_unsealed u JOIN audit_event e ON e.org_id = u.org_id AND e.id = u.event_id
     WHERE u.org_id = $1 ORDER BY u.xid, u.event_id LIMIT $2`,
    [q.orgId, BATCH],
  );
  if (rows.length === 0) return 0;
  const { links, head } = extend(
    await headOf(q),
    rows.map((row) => row.leaf),
  );
  const eventIds = rows.map((row) => row.event_id);
  await append(q, eventIds, links);
  const { size, hash, mac } = checkpointOf(q.orgId, head);
  await q.query("INSERT INTO audit_checkpoint (org_id, size, head, mac) VALUES ($1, $2, $3, $4)", [
    q.orgId,
    size,
    hash,
    mac,
  ]);
  return rows.length;
}

async function hasTurn(q: OrgSql, wait: boolean): Promise<boolean> {
  const key = "hashtextextended('audit:' || $1, 0)";
  if (!wait) {
    const { rows } = await q.query<{ has: boolean }>(`SELECT pg_try_advisory_xact_lock(${key}) AS has`, [q.orgId]);
    return rows[0]?.has === true;
  }
  await q.query(`SELECT pg_advisory_xact_lock(${key})`, [q.orgId]);
  return true;
}

type Ends = {
  readonly idx: string | null;
  readonly hash: Buffer | null;
  readonly size: string | null;
  readonly head: Buffer | null;
};

/** The end of the chain, which must be what the last checkpoint says. Its MAC is for verification to check. */
async function headOf(q: OrgSql): Promise<Head> {
  const { rows } = await q.query<Ends>(
    `SELECT s.idx, s.hash, c.size, c.head FROM (SELECT) one
     LEFT JOIN (SELECT idx, hash FROM audit_seal WHERE org_id = $1 ORDER BY idx DESC LIMIT 1) s ON true
     LEFT JOIN (SELECT size, head FROM audit_checkpoint WHERE org_id = $1 ORDER BY size DESC LIMIT 1) c ON true`,
    [q.orgId],
  );
  const [ends] = rows;
  const size = ends?.idx == null ? 0 : Number(ends.idx) + 1;
  const hash = ends?.hash ?? genesisOf(q.orgId);
  const isAsLeft = size === Number(ends?.size ?? 0) && (ends?.head ?? hash).equals(hash);
  if (!isAsLeft) throw new BrokenChainError("the chain does not end where its checkpoint says");
  return { size, hash };
}

async function append(q: OrgSql, eventIds: readonly string[], links: readonly Link[]): Promise<void> {
  await q.query(
    `INSERT INTO audit_seal (org_id, idx, event_id, previous, hash)
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::bytea[], $5::bytea[])`,
    [
      q.orgId,
      links.map((link) => link.index),
      eventIds,
      links.map((link) => link.previous),
      links.map((link) => link.hash),
    ],
  );
  await q.query("DELETE FROM audit_unsealed WHERE org_id = $1 AND event_id = ANY ($2)", [q.orgId, eventIds]);
}
