import { newId } from "@/server/db/new-id";
import type { OrgSql } from "@/server/db/with-org";
import type { AuditActor } from "@/server/domain/audit";
import { env } from "@/server/env";
import { auditSql } from "@/server/services/audit/record";

/** A hundred a month, until an admin says otherwise: an organization always has a cap. */
const FIRST_CAP_MICROS = "100000000";
const FIRST_CURRENCY = "USD";

export type NewOrganization = {
  readonly name: string;
  readonly owner: { readonly name: string; readonly email: string; readonly passwordHash: string };
  readonly actor: AuditActor;
  /** Of whoever asks, when a person does. */
  readonly address?: string;
};

/**
 * Fills the organization of this transaction: its name, its controls, an empty rule set, a budget and its first
 * owner. The row itself may stand already, nameless, from when a setup link was made. Returns the owner's id.
 */
export async function createOrganization(q: OrgSql, organization: NewOrganization): Promise<string> {
  const { RATE_LIMIT_PER_MINUTE, RATE_LIMIT_BURST } = env();
  await q.query(
    `INSERT INTO organization (id, name, requests_per_minute, request_burst) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
    [q.orgId, organization.name, RATE_LIMIT_PER_MINUTE, RATE_LIMIT_BURST],
  );
  const memberId = newId("member");
  const { email, name, passwordHash } = organization.owner;
  await q.query(
    "INSERT INTO member (id, org_id, email, name, role, password_hash) VALUES ($1, $2, $3, $4, 'owner', $5)",
    [memberId, q.orgId, email, name, passwordHash],
  );
  await q.query("INSERT INTO control_state (org_id) VALUES ($1)", [q.orgId]);
  await q.query("INSERT INTO rule_set (org_id, version, rules, changed_by) VALUES ($1, 0, '[]', $2)", [
    q.orgId,
    memberId,
  ]);
  const budgetId = newId("budget");
  await q.query(
    `INSERT INTO budget (id, org_id, scope, scope_id, period, currency, cap_micros, period_start, created_by)
     VALUES ($1, $2, 'organization', $2, 'month', $3, $4, date_trunc('month', clock_timestamp(), 'UTC'), $5)`,
    [budgetId, q.orgId, FIRST_CURRENCY, FIRST_CAP_MICROS, memberId],
  );
  await record(q, organization, { memberId, budgetId });
  return memberId;
}

type Made = { readonly memberId: string; readonly budgetId: string };

async function record(q: OrgSql, { name, owner, actor, address }: NewOrganization, made: Made): Promise<void> {
  const at = await databaseNow(q);
  const personId = made.memberId;
  const personal = { name: owner.name, email: owner.email, ...(address ? { address } : {}) };
  const cap = { scope: "organization", scopeId: q.orgId, period: "month", currency: FIRST_CURRENCY };
  await auditSql(q, [
    { type: "organization.created", actor, at, personId, fields: { name } },
    { type: "member.created", actor, at, personId, personal, fields: { member: made.memberId, role: "owner" } },
    {
      type: "budget.created",
      actor,
      at,
      personId,
      fields: { budget: made.budgetId, ...cap, capMicros: FIRST_CAP_MICROS },
    },
  ]);
}

/** The database's time, as audit entries carry it. */
export async function databaseNow(q: OrgSql): Promise<Date> {
  const { rows } = await q.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  const [row] = rows;
  if (row === undefined) throw new Error("the database did not tell the time");
  return row.now;
}
