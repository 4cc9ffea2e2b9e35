import { newId } from "@/server/db/new-id";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { type TestAgent, type TestOrganization, testAgent, testOrganization } from "@/test/support/organization";

/** One agent's key and the connection it may use. */
export type Caller = { readonly key: string; readonly connection: string; readonly agent: TestAgent };

/** An organization with `count` agents, each with a grant of its own over one connection, and no rate limit in the way. */
export async function benchOrganization(count: number): Promise<Caller[]> {
  const organization = await testOrganization("Bench");
  return withOrgSql(organization.id, async (q) => {
    await q.query("UPDATE organization SET requests_per_minute = 10000000, request_burst = 1000000");
    const connection = await addConnection(q, organization);
    const callers: Caller[] = [];
    for (let index = 0; index < count; index += 1) {
      const agent = index === 0 ? organization.agent : await testAgent(q, organization.agentOwner.id);
      await addGrant(q, { organization, agent, connection });
      callers.push({ key: agent.key, connection, agent });
    }
    return callers;
  });
}

async function addConnection(q: OrgSql, organization: TestOrganization): Promise<string> {
  const id = newId("connection");
  await q.query(
    `INSERT INTO connection (id, org_id, provider, name, account, config, capabilities, created_by)
     VALUES ($1, $2, 'bench', 'bench', 'bench', '{}', ARRAY['bench'], $3)`,
    [id, q.orgId, organization.admin.id],
  );
  return id;
}

type Granted = { organization: TestOrganization; agent: TestAgent; connection: string };

async function addGrant(q: OrgSql, { organization, agent, connection }: Granted): Promise<void> {
  await q.query(
    `INSERT INTO agent_grant (id, org_id, agent_id, connection_id, access, actions, max_risk, allow, per_minute, per_hour, per_day, created_by)
     VALUES ($1, $2, $3, $4, 'read', ARRAY['bench.noop'], 'low', '{"bench.noop": {"texts": true}}', 1000000, 1000000, 1000000, $5)`,
    [newId("grant"), q.orgId, agent.id, connection, organization.admin.id],
  );
}
