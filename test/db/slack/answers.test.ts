import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stopListening } from "@/server/db/listen";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { createRule } from "@/server/services/rules/create";
import { cardsBehind } from "@/server/services/slack/cards-behind";
import { APPROVE } from "@/slack/card/card";
import { startCardKeeper } from "@/slack/keep";
import { slackFixture } from "@/test/db/slack/fixture";

const { org, post, shown, rows, retried } = slackFixture();

const approveInTheWeb = async (id: string) => {
  const { digest } = await getApproval(org().approver.actor, { id });
  await decideApproval(org().approver.actor, { id, digest, decision: "approve" });
};
const forTwo = (approvalId: string) => rows("UPDATE approval SET required_people = 2 WHERE id = $1", [approvalId]);
const behind = async () => (await cardsBehind()).map(({ approvalId }) => approvalId);

describe("where nobody follows", () => {
  it("the sweep finds a card that lacks an answer, or that says too few people, and no other", async () => {
    const { approvalId } = await post();
    expect(await behind()).not.toContain(approvalId);
    await forTwo(approvalId);
    expect(await behind()).toContain(approvalId);
    await retried(approvalId);
    expect(await behind()).not.toContain(approvalId);
    await approveInTheWeb(approvalId);
    expect(await behind()).toContain(approvalId);
    await retried(approvalId);
    expect(await behind()).not.toContain(approvalId);
  });
});

describe("with no durable work at all", () => {
  let keeper: { stop(): Promise<void> };
  beforeAll(() => {
    keeper = startCardKeeper();
  });
  afterAll(async () => {
    await keeper.stop();
    await stopListening();
  });

  it("the first of two approvals in the web app shows on the card, which still asks", async () => {
    const { approvalId, ts } = await post();
    await forTwo(approvalId);
    await expect.poll(() => shown(ts)).toContain("2 people, 0 so far");
    await approveInTheWeb(approvalId);
    await expect.poll(() => shown(ts)).toContain("2 people, 1 so far");
    expect(shown(ts)).toContain(APPROVE);
  });

  it("an approval in the web app that was too quick makes the card ask for two, and say why", async () => {
    await createRule(org().admin.actor, {
      name: "read it",
      verdict: "approval",
      condition: "action == 'test.final'",
      secondIfQuick: true,
      reason: "test",
    });
    const { approvalId, ts } = await post();
    await approveInTheWeb(approvalId);
    await expect.poll(() => shown(ts)).toContain("2 people, 1 so far");
    expect(shown(ts)).toContain("faster than it can be read");
  });
});
