import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePrisma } from "@/server/db/client";
import { hot } from "@/server/db/hot";
import { closePools } from "@/server/db/pools";
import { withOrgSql } from "@/server/db/with-org";
import { parseKey } from "@/server/domain/key-format";
import { hashSecret } from "@/server/services/identity/keys";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { testOrganization } from "@/test/support/organization";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(async () => {
  await closePrisma();
  await closePools();
  await database.drop();
});

describe("a new organization", () => {
  it("has an owner, controls, an empty rule set and a budget, and its creation is on record", async () => {
    const organization = await testOrganization("Acme");
    const count = async (table: string) =>
      withOrgSql(
        organization.id,
        async (q) => (await q.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n,
      );
    expect(await count("control_state")).toBe("1");
    expect(await count("rule_set")).toBe("1");
    expect(await count("budget")).toBe("1");
    const events = await withOrgSql(organization.id, (q) =>
      q.query<{ type: string }>("SELECT type FROM audit_event ORDER BY id"),
    );
    expect(events.rows.map(({ type }) => type)).toEqual(["organization.created", "member.created", "budget.created"]);
  });

  it("has an agent whose key the gateway admits", async () => {
    const { agent } = await testOrganization();
    const key = parseKey(agent.key);
    expect(key).toMatchObject({ kind: "agent", id: agent.keyId });
    const [row] = await hot.admitAgent(key?.orgId ?? "", key?.id ?? "", hashSecret(key?.secret ?? ""));
    expect(row?.admitted).toMatchObject({ limited: false, agentId: agent.id, ownerId: agent.ownerId });
  });
});
