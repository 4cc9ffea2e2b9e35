import { newId } from "@/server/db/new-id";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import type { AgentActor, MemberActor } from "@/server/domain/actor";
import { permissionsOfAgents, permissionsOfRole, type TokenScope } from "@/server/domain/permission";
import type { Role } from "@/server/domain/roles";
import { createOrganization } from "@/server/services/identity/create-organization";
import { newKey, newSecret } from "@/server/services/identity/keys";
import { hashPassword } from "@/server/services/identity/passwords";

export const TEST_PASSWORD = "correct horse battery 9";

export type TestPerson = {
  readonly id: string;
  readonly email: string;
  readonly password: typeof TEST_PASSWORD;
  /** As if signed in by cookie. */
  readonly actor: MemberActor;
};

export type TestAgent = {
  readonly id: string;
  readonly ownerId: string;
  readonly keyId: string;
  /** The whole key, as a caller presents it. */
  readonly key: string;
  readonly actor: AgentActor;
};

export type TestOrganization = {
  readonly id: string;
  readonly owner: TestPerson;
  readonly admin: TestPerson;
  readonly approver: TestPerson;
  /** An approver who owns the agent and issued its key. */
  readonly agentOwner: TestPerson;
  readonly member: TestPerson;
  readonly auditor: TestPerson;
  readonly agent: TestAgent;
};

// One hash for every person of a test run: hashing is slow on purpose.
let passwordHash: Promise<string> | undefined;

/** An organization with a person of every role and an agent with a key, made as the application role. */
export async function testOrganization(name = "Test"): Promise<TestOrganization> {
  passwordHash ??= hashPassword(TEST_PASSWORD);
  const hash = await passwordHash;
  return withOrgSql(newId("organization"), async (q) => {
    const ownerEmail = `owner.${uniqueName()}@people.example`;
    const ownerId = await createOrganization(q, {
      name,
      owner: { name: "Olga Owner", email: ownerEmail, passwordHash: hash },
      actor: { kind: "system", orgId: q.orgId, job: "test", permissions: new Set() },
    });
    const agentOwner = await testPerson(q, "approver");
    return {
      id: q.orgId,
      owner: personOf(q.orgId, { id: ownerId, role: "owner", email: ownerEmail }),
      admin: await testPerson(q, "admin"),
      approver: await testPerson(q, "approver"),
      agentOwner,
      member: await testPerson(q, "member"),
      auditor: await testPerson(q, "auditor"),
      agent: await testAgent(q, agentOwner.id),
    };
  });
}

/** Adds a person of one role. */
export async function testPerson(q: OrgSql, role: Role): Promise<TestPerson> {
  passwordHash ??= hashPassword(TEST_PASSWORD);
  const person = { id: newId("member"), role, email: `${role}.${uniqueName()}@people.example` };
  await q.query("INSERT INTO member (id, org_id, email, name, role, password_hash) VALUES ($1, $2, $3, $4, $5, $6)", [
    person.id,
    q.orgId,
    person.email,
    `Some ${role}`,
    role,
    await passwordHash,
  ]);
  return personOf(q.orgId, person);
}

function personOf(orgId: string, { id, role, email }: { id: string; role: Role; email: string }): TestPerson {
  const actor: MemberActor = {
    kind: "member",
    orgId,
    memberId: id,
    name: `Some ${role}`,
    role,
    via: "sign_in",
    credentialId: newId("signIn"),
    permissions: permissionsOfRole(role),
  };
  return { id, email, password: TEST_PASSWORD, actor };
}

/** Adds an agent of `ownerId` with one key that it issued. */
export async function testAgent(q: OrgSql, ownerId: string, settings: { autonomy?: string } = {}): Promise<TestAgent> {
  const id = newId("agent");
  const name = `agent-${uniqueName()}`;
  await q.query("INSERT INTO agent (id, org_id, owner_id, name, autonomy) VALUES ($1, $2, $3, $4, $5)", [
    id,
    q.orgId,
    ownerId,
    name,
    settings.autonomy ?? "supervised",
  ]);
  const { id: keyId, key, hash } = newKey("agent", q.orgId);
  await q.query(
    `INSERT INTO agent_key (id, org_id, agent_id, issued_by, secret_hash, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + interval '30 days')`,
    [keyId, q.orgId, id, ownerId, hash],
  );
  const actor: AgentActor = {
    kind: "agent",
    orgId: q.orgId,
    agentId: id,
    name,
    ownerId,
    issuedBy: ownerId,
    credentialId: keyId,
    permissions: permissionsOfAgents(),
  };
  return { id, ownerId, keyId, key, actor };
}

/** A personal token of `person`, as a caller presents it. */
export async function testToken(person: TestPerson, scopes: readonly TokenScope[]): Promise<string> {
  const { orgId, memberId } = person.actor;
  const { id, key, hash } = newKey("user", orgId);
  await withOrgSql(orgId, (q) =>
    q.query(
      `INSERT INTO personal_token (id, org_id, member_id, name, secret_hash, scopes, expires_at)
       VALUES ($1, $2, $3, 'test', $4, $5, now() + interval '1 day')`,
      [id, orgId, memberId, hash, scopes],
    ),
  );
  return key;
}

const uniqueName = () => newSecret().slice(0, 12).toLowerCase();
