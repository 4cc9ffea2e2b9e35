import { expect, it } from "vitest";
import { similarRequests } from "@/server/services/approvals/similar";
import { gatewayFixture, reasonOf } from "@/test/db/gateway/fixture";
import { testOrganization } from "@/test/support/organization";
import { testGrant } from "@/test/support/test-tools";

const { org, submit, approve, execute } = gatewayFixture();

it("tells the agent's latest calls of the same action over the same connection, the newest first, and no others", async () => {
  const ran = await submit("test.final", { target: "first" });
  await approve(ran);
  await execute(ran.id);
  await submit("test.write", { target: "another action" });
  const { connectionId } = await testGrant(org(), "/dev/null");
  await submit("test.final", { target: "another connection" }, { connection: connectionId });
  const waits = await submit("test.final", { target: "second" });
  const asked = await submit("test.final", { target: "third" });
  const id = asked.approval?.id ?? "";
  expect(await similarRequests(org().approver.actor, { id })).toMatchObject({
    counts: { succeeded: 1, pending: 1 },
    items: [
      { id: waits.id, status: "pending" },
      { id: ran.id, status: "succeeded" },
    ],
  });
});

it("counts all it read and shows five, without a headline for who may not see content", async () => {
  for (let at = 0; at < 7; at += 1) await submit("test.final", { target: `t${at}` });
  const asked = await submit("test.final");
  const id = asked.approval?.id ?? "";
  const { counts, items } = await similarRequests(org().auditor.actor, { id });
  expect(counts).toEqual({ pending: 7 });
  expect(items).toHaveLength(5);
  expect(items.map(({ headline }) => headline)).toEqual(Array(5).fill(null));
  const shown = await similarRequests(org().admin.actor, { id });
  expect(shown.items.every(({ headline }) => typeof headline === "string")).toBe(true);
});

it("is empty for the first of its kind, and not there for another organization", async () => {
  const asked = await submit("test.final");
  const id = asked.approval?.id ?? "";
  expect(await similarRequests(org().approver.actor, { id })).toEqual({ counts: {}, items: [] });
  const other = await testOrganization();
  expect(await reasonOf(similarRequests(other.owner.actor, { id }))).toBe("not_found");
});
