import { afterAll, beforeAll } from "vitest";
import { closePrisma } from "@/server/db/client";
import { closePools } from "@/server/db/pools";
import { withOrgSql } from "@/server/db/with-org";
import { createConnection } from "@/server/services/connections/create";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { type TestOrganization, testOrganization } from "@/test/support/organization";

type Two = { readonly ours: TestOrganization; readonly theirs: TestOrganization };

/** A database with two organizations for one test file. */
export function twoOrganizations(): Two {
  let database: TestDatabase;
  const two = {} as { ours: TestOrganization; theirs: TestOrganization };
  beforeAll(async () => {
    database = await freshDatabase();
    two.ours = await testOrganization("Ours");
    two.theirs = await testOrganization("Theirs");
  });
  afterAll(async () => {
    await closePrisma();
    await closePools();
    await database.drop();
  });
  return two;
}

let count = 0;
/** A name that nothing else in the file has. */
export const unique = (what: string): string => {
  count += 1;
  return `${what} ${count}`;
};

type Recorded = { readonly type: string; readonly document: { readonly fields: Record<string, unknown> } };

/** Audit entries of one type in an organization, oldest first. */
export async function recorded(orgId: string, type: string): Promise<readonly Recorded[]> {
  const { rows } = await withOrgSql(orgId, (q) =>
    q.query<{ type: string; canonical: Buffer }>(
      "SELECT type, canonical FROM audit_event WHERE type = $1 ORDER BY created_at, id",
      [type],
    ),
  );
  return rows.map(({ type: name, canonical }) => ({ type: name, document: JSON.parse(canonical.toString("utf8")) }));
}

export const makeWeb = (organization: TestOrganization) =>
  createConnection(organization.admin.actor, {
    provider: "http",
    name: unique("web"),
    config: { origins: ["https://api.example.com"] },
  });

export const PASSWORD = "a long enough password 1234";

export const makeMail = (organization: TestOrganization) =>
  createConnection(organization.admin.actor, {
    provider: "smtp",
    name: unique("mail"),
    config: { host: "mail.example.com", port: 587, from: "desk@corp.example" },
    credential: { kind: "password", user: "desk", password: PASSWORD },
  });

/** Everybody in an organization who may not manage, and its agent. */
export const outsiders = ({ approver, member, auditor, agent }: TestOrganization) =>
  [approver, member, auditor, agent].map(({ actor }) => actor);
