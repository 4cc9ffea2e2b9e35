import type { OrgSql } from "@/server/db/with-org";

type Row = {
  readonly owner_id: string;
  readonly asked_owner_id: string | null;
  readonly issued_by: string;
  readonly acting_for_id: string | null;
  readonly taken_up_by_id: string | null;
};

/**
 * The people who count as having asked: the agent's owner, now and when it asked, whoever issued the key in use, and the person it
 * acts for, and whoever took it up from a proposal. None may approve.
 */
export async function requestersOf(q: OrgSql, requestId: string): Promise<ReadonlySet<string>> {
  const { rows } = await q.query<Row>(
    `SELECT a.owner_id, r.owner_id AS asked_owner_id, k.issued_by, r.acting_for_id, r.taken_up_by_id FROM tool_request r
     JOIN agent a ON a.org_id = r.org_id AND a.id = r.agent_id JOIN agent_key k ON k.org_id = r.org_id AND k.id = r.agent_key_id
     WHERE r.org_id = app.org_id() AND r.id = $1`,
    [requestId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("a request has an agent and a key");
  const people = [row.owner_id, row.asked_owner_id, row.issued_by, row.acting_for_id, row.taken_up_by_id];
  return new Set(people.filter((person) => person !== null));
}
