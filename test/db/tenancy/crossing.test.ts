import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePrisma } from "@/server/db/client";
import { closePools } from "@/server/db/pools";
import { withOrg, withOrgSql } from "@/server/db/with-org";
import { getApproval } from "@/server/services/approvals/get";
import { listApprovals } from "@/server/services/approvals/list";
import { describeToolRequest } from "@/server/services/requests/detail";
import { getToolRequest } from "@/server/services/requests/get";
import { listToolRequests } from "@/server/services/requests/list";
import { listTools } from "@/server/services/requests/list-tools";
import { submitToolRequest } from "@/server/services/requests/submit";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { type TestOrganization, testOrganization } from "@/test/support/organization";
import { registerTestTools, type TestGrant, testGrant } from "@/test/support/test-tools";

type Tenant = {
  readonly org: TestOrganization;
  readonly grant: TestGrant;
  readonly requestId: string;
  readonly approvalId: string;
};
let database: TestDatabase;
let tenants: [Tenant, Tenant];

async function tenant(name: string): Promise<Tenant> {
  const org = await testOrganization(name);
  const grant = await testGrant(org, "/dev/null");
  await withOrgSql(org.id, (q) => q.query("UPDATE agent SET pending_limit = 1000"));
  const answer = await submitToolRequest(org.agent.actor, {
    action: "test.final",
    connection: grant.connectionId,
    arguments: { target: name },
  });
  return { org, grant, requestId: answer.id, approvalId: answer.approval?.id ?? "" };
}

beforeAll(async () => {
  registerTestTools();
  database = await freshDatabase();
  tenants = [await tenant("first"), await tenant("second")];
});
afterAll(async () => {
  await closePrisma();
  await closePools();
  await database.drop();
});

/** Everything a result says, so that another tenant's mark would be seen wherever it stood. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part) => (typeof part === "bigint" ? `${part}` : part));

describe("two organizations", () => {
  it("keep apart over 200 concurrent calls of every kind", { timeout: 120_000 }, async () => {
    const calls = Array.from({ length: 200 }, async (_, index) => {
      const mine = tenants[index % 2 === 0 ? 0 : 1];
      const { actor } = mine.org.approver;
      const kinds = [
        () => listApprovals(actor, {}),
        () => getApproval(actor, { id: mine.approvalId }),
        () => listToolRequests(actor, {}),
        () => describeToolRequest(actor, { id: mine.requestId }),
        () => getToolRequest(mine.org.agent.actor, { id: mine.requestId }),
        () => listTools(mine.org.agent.actor, {}),
        () =>
          withOrg(mine.org.id, async (tx) => [
            await tx.member.findMany(),
            await tx.agent.findMany(),
            await tx.grant.findMany(),
          ]),
        () =>
          submitToolRequest(mine.org.agent.actor, {
            action: "test.final",
            connection: mine.grant.connectionId,
            arguments: { target: "more" },
          }),
      ];
      const work = kinds[index % kinds.length];
      return { mine, text: textOf(await work?.()) };
    });
    for (const { mine, text } of await Promise.all(calls)) {
      const other = tenants.find((candidate) => candidate !== mine);
      for (const mark of [
        other?.org.id,
        other?.requestId,
        other?.approvalId,
        other?.grant.connectionId,
        other?.org.agent.id,
      ]) {
        expect(text).not.toContain(mark);
      }
    }
  });

  it("do not exist for each other, by any id", async () => {
    const [mine, other] = tenants;
    const { actor } = mine.org.owner;
    const missing = { code: "not_found" };
    await expect(getApproval(actor, { id: other.approvalId })).rejects.toMatchObject(missing);
    await expect(describeToolRequest(actor, { id: other.requestId })).rejects.toMatchObject(missing);
    await expect(getToolRequest(mine.org.agent.actor, { id: other.requestId })).rejects.toMatchObject(missing);
    const foreign = submitToolRequest(mine.org.agent.actor, {
      action: "test.write",
      connection: other.grant.connectionId,
      arguments: { target: "a" },
    });
    await expect(foreign).rejects.toMatchObject({ code: "refused", details: { reason: "no_grant" } });
  });

  it("cannot be crossed by plain statements: no row is read, changed or referred to", async () => {
    const [mine, other] = tenants;
    await withOrgSql(mine.org.id, async (q) => {
      const tables = await q.query<{ name: string }>(
        "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'org_id'",
      );
      for (const { name } of tables.rows) {
        const { rows } = await q.query<{ count: string }>(`SELECT count(*) FROM "${name}" WHERE org_id = $1`, [
          other.org.id,
        ]);
        expect([name, rows[0]?.count]).toEqual([name, "0"]);
      }
      const changed = await q.query("UPDATE agent SET name = 'taken' WHERE id = $1", [other.org.agent.id]);
      expect(changed.rowCount).toBe(0);
    });
    const reference = withOrgSql(mine.org.id, (q) =>
      q.query("INSERT INTO session (id, org_id, agent_id, reference, labels) VALUES ('ses_x', $1, $2, 'x', '{}')", [
        mine.org.id,
        other.org.agent.id,
      ]),
    );
    await expect(reference).rejects.toMatchObject({ code: "23503" });
    const planted = withOrgSql(mine.org.id, (q) =>
      q.query("INSERT INTO department (id, org_id, name) VALUES ('dep_x', $1, 'planted')", [other.org.id]),
    );
    await expect(planted).rejects.toMatchObject({ code: "42501" });
  });
});
