import { withOrgSql } from "@/server/db/with-org";
import type { Checkpoint } from "@/server/services/audit/chain/checkpoint";
import type { ChainSource, SealedRow, StoredEvent, StoredPersonal } from "@/server/services/audit/chain/source";

const PAGE = 20_000;

/** The chain in the database. Each question is a transaction of its own, so that a long verification holds nothing. */
export function storedChain(orgId: string): ChainSource {
  const ask = async <R extends object>(text: string, ...values: unknown[]): Promise<R[]> =>
    withOrgSql(orgId, async (q) => (await q.query<R>(text, [orgId, ...values])).rows);
  const askOne = async <R extends object>(text: string, ...values: unknown[]): Promise<R | undefined> =>
    (await ask<R>(text, ...values))[0];
  return {
    orgId,
    ends: async () => {
      const row = await askOne<{ idx: string | null; size: string | null; head: Buffer; mac: Buffer }>(ENDS);
      const checkpoint = row?.size == null ? null : checkpointIn({ size: row.size, head: row.head, mac: row.mac });
      return { size: row?.idx == null ? 0 : Number(row.idx) + 1, checkpoint };
    },
    rows: (from, end) => rowsFrom(orgId, from, end),
    checkpoints: async (after, upTo) => (await ask<CheckpointRow>(CHECKPOINTS, after, upTo)).map(checkpointIn),
    stray: async () => {
      for (let after = ""; ; ) {
        const end = (await askOne<{ id: string | null }>(PAGE_END, after, PAGE))?.id;
        if (end == null) return null;
        const stray = await askOne<{ id: string }>(STRAY, after, end);
        if (stray !== undefined) return stray.id;
        after = end;
      }
    },
    hasSuccessor: async (hash, index) => (await askOne(SUCCESSOR, hash, index)) !== undefined,
    isSealed: async (eventId) =>
      (await askOne("SELECT 1 FROM audit_seal WHERE org_id = $1 AND event_id = $2", eventId)) !== undefined,
    leaves: async function* () {
      for (let after = ""; ; ) {
        const piece = await ask<{ id: string; leaf: Buffer }>(LEAVES_AFTER, after, PAGE);
        if (piece.length === 0) return;
        yield piece;
        after = piece.at(-1)?.id ?? "";
      }
    },
  };
}

const ENDS = `SELECT s.idx, c.size, c.head, c.mac FROM (SELECT) one
  LEFT JOIN (SELECT max(idx) AS idx FROM audit_seal WHERE org_id = $1) s ON true
  LEFT JOIN (SELECT size, head, mac FROM audit_checkpoint WHERE org_id = $1 ORDER BY size DESC LIMIT 1) c ON true`;
const CHECKPOINTS = `SELECT size, head, mac FROM audit_checkpoint WHERE org_id = $1 AND size > $2 AND size <= $3 ORDER BY size`;
const PAGE_END = `SELECT max(id) AS id
  FROM (SELECT id FROM audit_event WHERE org_id = $1 AND id > $2 ORDER BY id LIMIT $3) page`;
// Every side is bounded, so that no plan reads more than a page.
const STRAY = `SELECT e.id FROM audit_event e WHERE e.org_id = $1 AND e.id > $2 AND e.id <= $3
  AND NOT EXISTS (SELECT 1 FROM audit_seal s WHERE s.org_id = $1 AND s.event_id = e.id AND s.event_id > $2 AND s.event_id <= $3)
  AND NOT EXISTS (SELECT 1 FROM audit_unsealed u WHERE u.org_id = $1 AND u.event_id = e.id) ORDER BY e.id LIMIT 1`;
const SUCCESSOR = "SELECT 1 FROM audit_seal WHERE org_id = $1 AND previous = $2 AND idx > $3 LIMIT 1";
const LEAVES_AFTER = "SELECT id, leaf FROM audit_event WHERE org_id = $1 AND id > $2 ORDER BY id LIMIT $3";

type CheckpointRow = { readonly size: string; readonly head: Buffer; readonly mac: Buffer };

const checkpointIn = ({ size, head, mac }: CheckpointRow): Checkpoint => ({ size: Number(size), hash: head, mac });

type Joined = {
  readonly idx: string;
  readonly event_id: string;
  readonly previous: Buffer;
  readonly hash: Buffer;
  readonly type: string | null;
  readonly request_id: string | null;
  readonly actor_id: string | null;
  readonly agent_id: string | null;
  readonly canonical: Buffer | null;
  readonly leaf: Buffer | null;
};

// By range, not by limit: without statistics the planner would join all that follows before it cuts.
function rowsFrom(orgId: string, from: number, end: number): Promise<readonly SealedRow[]> {
  return withOrgSql(orgId, async (q) => {
    const { rows } = await q.query<Joined>(
      `SELECT s.idx, s.event_id, s.previous, s.hash, e.type, e.request_id, e.actor_id, e.agent_id, e.canonical, e.leaf
       FROM audit_seal s LEFT JOIN audit_event e ON e.org_id = s.org_id AND e.id = s.event_id
       WHERE s.org_id = $1 AND s.idx >= $2 AND s.idx < $3 ORDER BY s.idx`,
      [orgId, from, end],
    );
    const { rows: personal } = await q.query<StoredPersonal & { readonly event_id: string }>(
      "SELECT event_id, field, salt, value FROM audit_personal WHERE org_id = $1 AND event_id = ANY ($2)",
      [orgId, rows.map((row) => row.event_id)],
    );
    const byEvent = new Map<string, StoredPersonal[]>();
    for (const { event_id, ...value } of personal) byEvent.set(event_id, [...(byEvent.get(event_id) ?? []), value]);
    return rows.map((row) => sealedRow(row, byEvent.get(row.event_id) ?? []));
  });
}

function sealedRow(row: Joined, personal: readonly StoredPersonal[]): SealedRow {
  const { previous, hash } = row;
  return { index: Number(row.idx), eventId: row.event_id, previous, hash, event: eventIn(row), personal };
}

function eventIn({ type, canonical, leaf, ...row }: Joined): StoredEvent | null {
  if (type === null || canonical === null || leaf === null) return null;
  return { type, requestId: row.request_id, actorId: row.actor_id, agentId: row.agent_id, canonical, leaf };
}
