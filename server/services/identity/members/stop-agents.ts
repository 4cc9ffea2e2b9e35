import type { OrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import type { AuditEntry } from "@/server/domain/audit";
import { auditSql } from "@/server/services/audit/record";
import { databaseNow } from "@/server/services/identity/create-organization";

const MAX_VALID_KEYS = 2;

type Key = { id: string; agent_id: string; expires_at: Date };
type Agent = { id: string; name: string };

/**
 * Nobody answers any more for what a disabled member let in: the keys that they issued stop holding and the agents that
 * they own are paused. Runs under the control lock, with the member's row locked.
 */
export async function stopAgents(q: OrgSql, actor: MemberActor, memberId: string): Promise<void> {
  const keys = await q.query<Key>(
    `UPDATE agent_key SET revoked_at = clock_timestamp(), revoked_for = 'issuer_disabled'
     WHERE issued_by = $1 AND revoked_at IS NULL RETURNING id, agent_id, expires_at`,
    [memberId],
  );
  const agents = await q.query<Agent>(
    `UPDATE agent SET paused_at = clock_timestamp(), paused_by = $2, paused_for = 'owner_disabled', version = version + 1
     WHERE owner_id = $1 AND paused_at IS NULL RETURNING id, name`,
    [memberId, actor.memberId],
  );
  const at = await databaseNow(q);
  await auditSql(q, [
    ...keys.rows.map((key): AuditEntry => {
      const fields = { key: key.id, why: "issuer_disabled" };
      return { type: "agent_key.revoked", actor, at, agentId: key.agent_id, fields };
    }),
    ...agents.rows.map(({ id, name }): AuditEntry => {
      const fields = { name, why: "owner_disabled" };
      return { type: "agent.paused", actor, at, agentId: id, fields };
    }),
  ]);
  await tellOf(q, agents.rows);
}

/** The member is enabled again: what only their absence stopped goes on. An agent has no more valid keys than it may. */
export async function letAgentsGoOn(q: OrgSql, actor: MemberActor, memberId: string): Promise<void> {
  // Whoever issues a key counts under the same locks.
  await q.query(
    `SELECT 1 FROM agent a WHERE a.owner_id = $1
       OR a.id IN (SELECT k.agent_id FROM agent_key k WHERE k.issued_by = $1 AND k.revoked_for IS NOT NULL)
     ORDER BY a.id FOR NO KEY UPDATE`,
    [memberId],
  );
  const keys = await q.query<Key>(
    `UPDATE agent_key k SET revoked_at = NULL, revoked_for = NULL FROM (
       SELECT h.id, row_number() OVER (PARTITION BY h.agent_id ORDER BY h.id DESC) + (SELECT count(*) FROM agent_key v
         WHERE v.agent_id = h.agent_id AND v.revoked_at IS NULL AND v.expires_at > clock_timestamp()) AS place
       FROM agent_key h WHERE h.issued_by = $1 AND h.revoked_for IS NOT NULL AND h.expires_at > clock_timestamp()) held
     WHERE k.id = held.id AND held.place <= $2 RETURNING k.id, k.agent_id, k.expires_at`,
    [memberId, MAX_VALID_KEYS],
  );
  const agents = await q.query<Agent>(
    `UPDATE agent SET paused_at = NULL, paused_by = NULL, paused_for = NULL, version = version + 1
     WHERE owner_id = $1 AND paused_for IS NOT NULL RETURNING id, name`,
    [memberId],
  );
  const at = await databaseNow(q);
  await auditSql(q, [
    ...keys.rows.map((key): AuditEntry => {
      const fields = { key: key.id, expiresAt: key.expires_at.toISOString(), why: "issuer_enabled" };
      return { type: "agent_key.issued", actor, at, agentId: key.agent_id, fields };
    }),
    ...agents.rows.map(({ id, name }): AuditEntry => {
      const fields = { name, why: "owner_enabled" };
      return { type: "agent.resumed", actor, at, agentId: id, fields };
    }),
  ]);
  await tellOf(q, agents.rows);
}

async function tellOf(q: OrgSql, agents: readonly Agent[]): Promise<void> {
  await q.query("SELECT app.tell('agent', id) FROM unnest($1::text[]) AS id", [agents.map(({ id }) => id)]);
}
