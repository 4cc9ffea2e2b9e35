import { afterEach, beforeEach, expect, test } from "vitest";
import { connectLocalEngine, inngest } from "@/inngest/client";
import { awaitApproval } from "@/inngest/functions/await-approval";
import { serveHandler } from "@/inngest/serve";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { cancelToolRequest } from "@/server/services/requests/cancel";
import { createRule } from "@/server/services/rules/create";
import { gatewayFixture } from "@/test/db/gateway/fixture";
import { emptyEngine, type LocalDriver, localDriver, queryOnce } from "@/test/support/inngest/local-driver";

const { org, database, submit } = gatewayFixture();
let driver: LocalDriver;

beforeEach(async () => {
  await emptyEngine(database().ownerUrl);
  driver = await localDriver({
    systemUrl: database().systemUrl,
    makeApp: (engine) => {
      connectLocalEngine(engine.fetch);
      return { client: inngest, handler: serveHandler([awaitApproval]) };
    },
  });
});
afterEach(async () => {
  connectLocalEngine(undefined);
  await driver.close();
});

/** Something without an end that waits, and its life under way. The database's clock stands still for it. */
async function waiting() {
  const rule = { name: "no end", verdict: "approval", condition: "true", expiresMinutes: 0 } as const;
  await createRule(org().admin.actor, rule);
  const answer = await submit("test.write");
  const approvalId = answer.approval?.id ?? "";
  await driver.settle();
  return { requestId: answer.id, approvalId };
}

const outputs = async () =>
  (await queryOnce(database().ownerUrl, "SELECT output FROM inngest_local.runs ORDER BY id")).map(({ output }) =>
    typeof output === "string" ? (JSON.parse(output) as { result: unknown }).result : null,
  );

test("what does not expire goes on in another run once one run has looked often enough, and ends with the decision", async () => {
  const { approvalId } = await waiting();
  expect(await outputs()).toEqual([null]);
  await driver.pass(8);
  expect(await outputs()).toEqual(["goes on in another run", null]);
  const { digest } = await getApproval(org().approver.actor, { id: approvalId });
  await decideApproval(org().approver.actor, { id: approvalId, decision: "reject", digest });
  await driver.settle();
  expect(await outputs()).toEqual(["goes on in another run", "rejected"]);
});

test("a withdrawal ends the waiting at once", async () => {
  const { requestId } = await waiting();
  await cancelToolRequest(org().agent.actor, { id: requestId });
  await driver.settle();
  expect(await outputs()).toEqual(["withdrawn"]);
});
