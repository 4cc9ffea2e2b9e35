import pg from "pg";
import { newId } from "@/server/db/new-id";
import { withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import type { AuditEntry } from "@/server/domain/audit";
import { permissionsOfRole } from "@/server/domain/permission";
import type { Role } from "@/server/domain/roles";
import { sealOrganization } from "@/server/services/audit/chain/seal";
import { auditSql } from "@/server/services/audit/record";

/** An organization with nothing in it. */
export async function anOrganization(): Promise<string> {
  const orgId = newId("organization");
  await withOrgSql(orgId, (q) => q.query("INSERT INTO organization (id, name) VALUES ($1, 'Acme')", [orgId]));
  return orgId;
}

/** A member of this role, as the door of commands takes one. */
export const aReader = (orgId: string, role: Role = "auditor"): MemberActor => ({
  ...{ kind: "member", orgId, memberId: newId("member"), name: "Rita", role, via: "sign_in" },
  ...{ credentialId: newId("signIn"), permissions: permissionsOfRole(role) },
});

/** An entry such as an approver leaves, with a personal value. */
export function anEntry(orgId: string, name = "Ada"): AuditEntry {
  return {
    type: "member.created",
    actor: { kind: "system", orgId, job: "test", permissions: new Set() },
    at: new Date("2026-11-30T12:00:00Z"),
    personId: newId("member"),
    requestId: newId("toolRequest"),
    agentId: newId("agent"),
    personal: { name, email: `${name}@example.com` },
    fields: { member: newId("member"), role: "approver" },
  };
}

/** Records `sizes[0]` entries and seals them, then the next, and so on. Returns the ids in the order of the chain. */
export async function aChain(orgId: string, ...sizes: readonly number[]): Promise<readonly string[]> {
  for (const size of sizes) {
    for (let n = 0; n < size; n += 1) await withOrgSql(orgId, (q) => auditSql(q, anEntry(orgId)));
    await sealOrganization(orgId);
  }
  return withOrgSql(orgId, async (q) => {
    const { rows } = await q.query<{ event_id: string }>(
      "SELECT event_id FROM audit_seal WHERE org_id = $1 ORDER BY idx",
      [orgId],
    );
    return rows.map((row) => row.event_id);
  });
}

export type Attacker = {
  run(text: string, values?: readonly unknown[]): Promise<pg.QueryResult>;
  end(): Promise<void>;
};

/** Whoever holds the database itself: past row-level security, triggers and foreign keys. */
export async function anAttacker(superuserUrl: string, database: string): Promise<Attacker> {
  const url = new URL(superuserUrl);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query("SET session_replication_role = replica");
  return { run: (text, values) => client.query(text, values && [...values]), end: () => client.end() };
}
