import type { OrgSql } from "@/server/db/with-org";

/**
 * The people who count as having asked, in SQL over `tool_request r`, its `agent g` and its `agent_key k`: the agent's owner, now and
 * when it asked, whoever issued the key in use, the person it acts for, and whoever took it up from a proposal. None may approve.
 */
export const REQUESTERS =
  "array_remove(ARRAY[g.owner_id, r.owner_id, k.issued_by, r.acting_for_id, r.taken_up_by_id], NULL)";

/** Who counts as having asked for a request of the organization. */
export async function requestersOf(q: OrgSql, requestId: string): Promise<ReadonlySet<string>> {
  const { rows } = await q.query<{ people: string[] }>(
    `SELECT ${REQUESTERS} AS people FROM tool_request r
     JOIN agent g ON g.org_id = r.org_id AND g.id = r.agent_id JOIN agent_key k ON k.org_id = r.org_id AND k.id = r.agent_key_id
     WHERE r.org_id = app.org_id() AND r.id = $1`,
    [requestId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("a request has an agent and a key");
  return new Set(row.people);
}
