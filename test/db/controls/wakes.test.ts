import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectLocalEngine } from "@/inngest/client";
import { withOrgSql } from "@/server/db/with-org";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { activateKillSwitch } from "@/server/services/controls/activate-kill-switch";
import { releaseKillSwitch } from "@/server/services/controls/release-kill-switch";
import { answerOf } from "@/server/services/requests/answer";
import { executeRequest } from "@/server/services/requests/execute";
import { submitToolRequest } from "@/server/services/requests/submit";
import { systemActor } from "@/server/services/system-actor";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { testOrganization } from "@/test/support/organization";
import { makeDue, registerTestTools, testGrant } from "@/test/support/test-tools";

twoOrganizations();
beforeAll(registerTestTools);

type Sent = { readonly name: string; readonly data: Readonly<Record<string, string>> };
const reason = "A test.";
const engine =
  (sent: Sent[]): typeof fetch =>
  async (_url, init) => {
    sent.push(...((await new Response(init?.body ?? "[]").json()) as Sent[]));
    return Response.json({ ids: [], status: 200 });
  };
afterEach(() => connectLocalEngine(engine([])));

/** A request that a person approved, inside its undo window; what is sent from then on is kept. */
async function scheduled() {
  const org = await testOrganization();
  const { connectionId: connection, grantId } = await testGrant(org, "/dev/null");
  const { id, approval } = await submitToolRequest(org.agent.actor, {
    action: "test.undoable",
    connection,
    arguments: { target: "a" },
  });
  const { digest } = await getApproval(org.approver.actor, { id: approval?.id ?? "" });
  await decideApproval(org.approver.actor, { id: approval?.id ?? "", decision: "approve", digest });
  const sent: Sent[] = [];
  connectLocalEngine(engine(sent));
  const asked = async () => {
    const approvalId = (await answerOf(org.id, id)).approval?.id;
    return { name: "approval/requested", data: { organizationId: org.id, approvalId, requestId: id } };
  };
  return { org, id, grantId, sent, asked };
}

describe("people are told of what comes back to them", () => {
  it("when a freeze that stopped it is lifted, not while nobody could approve it", async () => {
    const { org, sent, asked } = await scheduled();
    const { version } = await activateKillSwitch(org.admin.actor, { level: "freeze", reason });
    expect(sent).toEqual([]);
    await releaseKillSwitch(org.owner.actor, { version, reason });
    expect(sent).toEqual([expect.objectContaining(await asked())]);
  });

  it("when a check refuses it as it is about to run", async () => {
    const { org, id, grantId, sent, asked } = await scheduled();
    await withOrgSql(org.id, (q) =>
      q.query("UPDATE agent_grant SET revoked_at = clock_timestamp() WHERE id = $1", [grantId]),
    );
    await makeDue(org.id, id);
    expect(await executeRequest(systemActor(org.id, "test"), { requestId: id })).toBe("returned");
    expect(sent).toEqual([expect.objectContaining(await asked())]);
  });
});
