import { expect, it } from "vitest";
import { remindApproval } from "@/server/services/approvals/remind";
import { cancelToolRequest } from "@/server/services/requests/cancel";
import { cardsBehind } from "@/server/services/slack/cards-behind";
import { systemActor } from "@/server/services/system-actor";
import { syncCards } from "@/slack/deliver";
import { slackFixture } from "@/test/db/slack/fixture";

const { org, slack, post, rows, retried } = slackFixture();

const behind = async () => (await cardsBehind()).map(({ approvalId }) => approvalId);
const withdrawn = async () => {
  const posted = await post();
  await cancelToolRequest(org().agent.actor, { id: posted.requestId });
  return posted;
};

it("a reply whose answer was lost is found again, and not posted twice", async () => {
  const { approvalId, ts } = await withdrawn();
  slack().next.set("chat.postMessage", "lost");
  await expect(syncCards(org().id, approvalId)).rejects.toThrow();
  expect(await behind()).toContain(approvalId);
  await syncCards(org().id, approvalId);
  expect(slack().replies(ts)).toHaveLength(1);
  expect(await behind()).not.toContain(approvalId);
});

it("a reply that Slack refused for the moment comes later, without a look at the thread", async () => {
  const { approvalId, ts } = await withdrawn();
  slack().next.set("chat.postMessage", "rate_limited");
  await expect(syncCards(org().id, approvalId)).rejects.toMatchObject({ name: "CardLater" });
  await retried(approvalId);
  expect(slack().replies(ts)).toHaveLength(1);
  expect(slack().calls.map(({ method }) => method)).not.toContain("conversations.replies");
});

it("a reminder whose event was lost is found by the sweep", async () => {
  const { approvalId, ts } = await post();
  await remindApproval(systemActor(org().id, "test"), { approvalId });
  expect(await behind()).toContain(approvalId);
  await syncCards(org().id, approvalId);
  expect(slack().replies(ts)).toHaveLength(1);
  expect(await behind()).not.toContain(approvalId);
});

it("a card that says what the rows say is not written again", async () => {
  const { approvalId } = await withdrawn();
  await syncCards(org().id, approvalId);
  const before = slack().calls.length;
  await syncCards(org().id, approvalId);
  expect(slack().calls).toHaveLength(before);
  expect(
    await rows("SELECT 1 FROM slack_card WHERE approval_id = $1 AND told = 'withdrawn'", [approvalId]),
  ).toHaveLength(1);
});
