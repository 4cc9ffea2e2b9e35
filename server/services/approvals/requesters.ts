import type { OrgSql } from "@/server/db/with-org";

type Asker = { readonly agentId: string; readonly keyId: string };

/** The people who count as having asked: the agent's owner, and whoever issued the key in use. None may approve. */
export async function requestersOf(q: OrgSql, { agentId, keyId }: Asker): Promise<ReadonlySet<string>> {
  const { rows } = await q.query<{ owner_id: string; issued_by: string }>(
    "SELECT a.owner_id, k.issued_by FROM agent a, agent_key k WHERE a.id = $1 AND k.id = $2",
    [agentId, keyId],
  );
  if (rows.length !== 1) throw new Error("a request has an agent and a key");
  return new Set(rows.flatMap((row) => [row.owner_id, row.issued_by]));
}
