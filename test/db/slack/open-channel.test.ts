import { afterEach, describe, expect, it } from "vitest";
import { DEMO_CHANNEL } from "@/server/cli/demo/slack-calls";
import { DEMO_BOT_TOKEN } from "@/server/cli/demo/slack-workspace";
import { APPROVE, REJECT } from "@/slack/card/card";
import { askOpenChannel } from "@/slack/open-channel";
import { webClient } from "@/slack/web-client";
import { slackFixture } from "@/test/db/slack/fixture";

const { slack, post, shown, approve, decisions, refusals, told } = slackFixture();

/** What was remembered of the channel is of now. */
const look = () => askOpenChannel(webClient(DEMO_BOT_TOKEN), { teamId: slack().team, channelId: DEMO_CHANNEL });

afterEach(() => {
  slack().channel.is_private = true;
  slack().channel.is_shared = false;
});

describe("a card that was posted in a private channel", () => {
  it.each([
    ["made public", { is_private: false }],
    ["shared with another workspace", { is_shared: true }],
  ])("is not pressed once that was %s, and is a link from then on", async (_how, more) => {
    await look();
    const { approvalId, ts } = await post("test.final", { target: "a", text: "a secret of ours" });
    expect(shown(ts)).toContain("a secret of ours");
    Object.assign(slack().channel, more);
    const press = slack().press({ ts, actionId: REJECT, userId: "U_APPROVER" }) ?? {};
    await approve(ts, "U_APPROVER");
    await slack().send(press);
    expect(await decisions(approvalId)).toEqual([]);
    const refused = { code: "slack_open_channel", actor: "member" };
    expect(await refusals(approvalId)).toEqual([refused, refused]);
    await expect.poll(() => told("U_APPROVER").join()).toContain("public or shared by now");
    await expect.poll(() => shown(ts)).not.toMatch(new RegExp(`a secret of ours|${APPROVE}|${REJECT}`));
  });
});

it("shows nothing but a link in a channel that was opened to others after it was connected", async () => {
  slack().channel.is_shared = true;
  await look();
  const { ts } = await post("test.final", { target: "a", text: "a secret of ours" });
  expect(shown(ts)).toContain("not shown in a channel that is public or shared");
  expect(shown(ts)).not.toMatch(/a secret of ours|approval\.(approve|reject)/);
});
