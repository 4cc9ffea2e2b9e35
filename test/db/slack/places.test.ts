import { beforeAll, expect, it } from "vitest";
import { DEMO_CHANNEL } from "@/server/cli/demo/slack-calls";
import { connectSlack } from "@/server/services/slack/connect";
import { syncCards } from "@/slack/deliver";
import { slackFixture } from "@/test/db/slack/fixture";

const { org, slack, submit, rows } = slackFixture();

beforeAll(async () => {
  // Before the other one in the order of places.
  slack().tokens.set("xoxb-first", { team: "T_FIRST", enterprise: null });
  await connectSlack(org().admin.actor, { token: "xoxb-first", channelId: DEMO_CHANNEL });
});

const postedIn = async (approvalId: string) =>
  (
    await rows<{ team_id: string }>(
      "SELECT team_id FROM slack_card WHERE approval_id = $1 AND ts IS NOT NULL ORDER BY 1",
      [approvalId],
    )
  ).map(({ team_id }) => team_id);

it("a workspace that fails keeps no other from its card, and its failure is still told", async () => {
  const { approvalId } = await submit();
  slack().next.set("chat.postMessage", "lost");
  await expect(syncCards(org().id, approvalId)).rejects.not.toMatchObject({ name: "CardLater" });
  expect(await postedIn(approvalId)).toEqual(["T_TEST"]);
  await syncCards(org().id, approvalId);
  expect(await postedIn(approvalId)).toEqual(["T_FIRST", "T_TEST"]);
});

it("a workspace that asks for patience keeps no other from its card", async () => {
  const { approvalId } = await submit();
  slack().next.set("chat.postMessage", "rate_limited");
  await expect(syncCards(org().id, approvalId)).rejects.toMatchObject({ name: "CardLater", afterS: 1 });
  expect(await postedIn(approvalId)).toEqual(["T_TEST"]);
});
