import { isUniqueViolation } from "@/server/db/unique";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { checkpointOf } from "@/server/services/audit/chain/checkpoint";
import { extend, genesisOf, type Head } from "@/server/services/audit/chain/hashes";

const BATCH = 2_000;
const MAX_BATCHES = 500;

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
  const isWaiting = options.wait ?? false;
  let sealed = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const count = await sealOnce(orgId, isWaiting);
    sealed += count;
    if (count < BATCH) break;
  }
  return sealed;
}

/** One batch. An event stands in line after it was sealed only if someone put it there again: it must not hold up the others. */
async function sealOnce(orgId: string, isWaiting: boolean): Promise<number> {
  try {
    return await withOrgSql(orgId, (q) => sealBatch(q, isWaiting));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Row-level security lets go of what is sealed, and of nothing else.
    await withOrgSql(orgId, (q) => q.query("DELETE FROM audit_unsealed WHERE org_id = $1", [orgId]));
    return withOrgSql(orgId, (q) => sealBatch(q, isWaiting));
  }
}

async function sealBatch(q: OrgSql, isWaiting: boolean): Promise<number> {
  if (!(await hasTurn(q, isWaiting))) return 0;
  const { rows } = await q.query<Waiting>(
    "SELECT event_id, leaf FROM audit_unsealed WHERE org_id = $1 ORDER BY xid, event_id LIMIT $2",
    [q.orgId, BATCH],
  );
  if (rows.length === 0) return 0;
  await append(q, rows);
  const eventIds = rows.map((row) => row.event_id);
  await q.query("DELETE FROM audit_unsealed WHERE org_id = $1 AND event_id = ANY ($2)", [q.orgId, eventIds]);
  return rows.length;
}

type Waiting = { readonly event_id: string; readonly leaf: Buffer };

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

async function append(q: OrgSql, waiting: readonly Waiting[]): Promise<void> {
  const { links, head } = extend(
    await headOf(q),
    waiting.map((row) => row.leaf),
  );
  await q.query(
    `INSERT INTO audit_seal (org_id, idx, event_id, previous, hash)
     SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::bytea[], $5::bytea[])`,
    [
      q.orgId,
      links.map((link) => link.index),
      waiting.map((row) => row.event_id),
      links.map((link) => link.previous),
      links.map((link) => link.hash),
    ],
  );
  const { size, hash, mac } = checkpointOf(q.orgId, head);
  await q.query("INSERT INTO audit_checkpoint (org_id, size, head, mac) VALUES ($1, $2, $3, $4)", [
    q.orgId,
    size,
    hash,
    mac,
  ]);
}
