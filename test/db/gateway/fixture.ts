import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { closePrisma } from "@/server/db/client";
import { closePools } from "@/server/db/pools";
import { withOrgSql } from "@/server/db/with-org";
import type { AppError } from "@/server/domain/errors";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import type { Answer } from "@/server/services/requests/answer";
import { executeRequest } from "@/server/services/requests/execute";
import { getToolRequest } from "@/server/services/requests/get";
import { submitToolRequest } from "@/server/services/requests/submit";
import { systemActor } from "@/server/services/system-actor";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { type TestOrganization, type TestPerson, testOrganization } from "@/test/support/organization";
import { effectsIn, registerTestTools, type TestGrant, testGrant } from "@/test/support/test-tools";

/** Before each test a new organization with an autonomous agent and a grant over the test tools. */
export function gatewayFixture() {
  const file = join(mkdtempSync(join(tmpdir(), "countersign-effects-")), "effects");
  let database: TestDatabase;
  let org: TestOrganization;
  let grant: TestGrant;
  beforeAll(async () => {
    registerTestTools();
    database = await freshDatabase();
  });
  beforeEach(async () => {
    org = await testOrganization();
    grant = await testGrant(org, file);
    await withOrgSql(org.id, (q) => q.query("UPDATE agent SET autonomy = 'autonomous'"));
  });
  afterAll(async () => {
    await closePrisma();
    await closePools();
    await database.drop();
  });
  return {
    org: () => org,
    database: () => database,
    grant: () => grant,
    submit: (action: string, args: object = { target: "a" }, more: object = {}): Promise<Answer> =>
      submitToolRequest(org.agent.actor, { action, connection: grant.connectionId, arguments: args as never, ...more }),
    execute: (requestId: string) => executeRequest(systemActor(org.id, "test"), { requestId }),
    state: (id: string) => getToolRequest(org.agent.actor, { id }),
    performed: (requestId: string) => effectsIn(file).filter((line) => line.startsWith(requestId)).length,
    approve: async (answer: Answer, person: TestPerson = org.approver) => {
      const id = answer.approval?.id ?? "";
      const { digest } = await getApproval(person.actor, { id });
      return decideApproval(person.actor, { id, decision: "approve", digest });
    },
  };
}

/** The code of what a call fails with. */
export const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "it did not fail",
    (error: AppError) => error.reason,
  );
