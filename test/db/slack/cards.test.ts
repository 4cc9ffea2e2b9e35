import { describe, expect, it } from "vitest";
import { DEMO_CHANNEL } from "@/server/cli/demo/slack-calls";
import { decideApproval } from "@/server/services/approvals/decide";
import { expireApproval } from "@/server/services/approvals/expire";
import { getApproval } from "@/server/services/approvals/get";
import { cancelToolRequest } from "@/server/services/requests/cancel";
import { cardsBehind } from "@/server/services/slack/cards-behind";
import { systemActor } from "@/server/services/system-actor";
import { APPROVE, REJECT } from "@/slack/card/card";
import { syncCards } from "@/slack/deliver";
import { slackFixture } from "@/test/db/slack/fixture";

const { org, slack, post, submit, shown, rows, retried } = slackFixture();

const posted = () => slack().calls.filter(({ method }) => method === "chat.postMessage").length;
describe("a card", () => {
  it("is posted once, however many want to post it", async () => {
    const { approvalId } = await submit();
    await Promise.all(Array.from({ length: 8 }, () => retried(approvalId)));
    expect(posted()).toBe(1);
    expect(slack().shown()).toHaveLength(1);
  });

  it("is found again after a post whose answer was lost, and not posted twice", async () => {
    const { approvalId } = await submit();
    slack().next.set("chat.postMessage", "lost");
    await expect(syncCards(org().id, approvalId)).rejects.toThrow();
    await syncCards(org().id, approvalId);
    expect(posted()).toBe(1);
    const [card] = await rows<{ ts: string }>("SELECT ts FROM slack_card WHERE approval_id = $1", [approvalId]);
    expect(card?.ts).toBe(slack().shown()[0]?.ts);
  });

  it("is found again after a crash between the post and its record", async () => {
    const { approvalId, ts } = await post();
    await rows(
      "UPDATE slack_card SET ts = NULL, status = 'new', is_unsure = true, lease_until = clock_timestamp() WHERE approval_id = $1",
      [approvalId],
    );
    await syncCards(org().id, approvalId);
    expect(
      slack()
        .shown()
        .map((message) => message.ts),
    ).toEqual([ts]);
  });

  it("is found after a crash however much was said in the channel since", async () => {
    const { approvalId, ts } = await post();
    for (let count = 0; count < 450; count += 1) {
      const at = `${Math.floor(Date.now() / 1_000)}.9${String(count).padStart(5, "0")}`;
      slack().messages.push({ ts: at, channel: DEMO_CHANNEL, text: "talk", blocks: [] });
    }
    await rows(
      "UPDATE slack_card SET ts = NULL, status = 'new', is_unsure = true, lease_until = clock_timestamp() WHERE approval_id = $1",
      [approvalId],
    );
    const before = posted();
    await syncCards(org().id, approvalId);
    expect(posted()).toBe(before);
    expect(await rows("SELECT ts FROM slack_card WHERE approval_id = $1", [approvalId])).toEqual([{ ts }]);
    const looked = slack().calls.filter(({ method }) => method === "conversations.history");
    expect(looked).toHaveLength(3);
    for (const { params } of looked) expect(Number(params.latest)).toBeGreaterThan(Number(params.oldest));
  });

  it("waits as long as Slack asks when there were too many, and is posted then", async () => {
    const { approvalId } = await submit();
    slack().next.set("chat.postMessage", "rate_limited");
    await expect(syncCards(org().id, approvalId)).rejects.toMatchObject({ name: "CardLater", afterS: 1 });
    expect(slack().shown()).toHaveLength(0);
    const asked = posted();
    await expect(syncCards(org().id, approvalId)).rejects.toMatchObject({ name: "CardLater" });
    expect(posted()).toBe(asked);
    await retried(approvalId);
    expect(slack().shown()).toHaveLength(1);
    expect(slack().calls.map(({ method }) => method)).not.toContain("conversations.history");
  });

  it("shows what was decided in the web app, has expired or was withdrawn, with nothing left to press", async () => {
    const decided = await post();
    const { digest } = await getApproval(org().approver.actor, { id: decided.approvalId });
    await decideApproval(org().approver.actor, { id: decided.approvalId, decision: "reject", digest });
    const expired = await post();
    await rows("UPDATE approval SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1", [
      expired.approvalId,
    ]);
    await expireApproval(systemActor(org().id, "test"), { approvalId: expired.approvalId });
    const withdrawn = await post();
    await cancelToolRequest(org().agent.actor, { id: withdrawn.requestId });
    const behind = (await cardsBehind()).map(({ approvalId }) => approvalId);
    for (const { approvalId, ts } of [decided, expired, withdrawn]) {
      expect(behind).toContain(approvalId);
      await syncCards(org().id, approvalId);
      expect(shown(ts)).not.toContain(REJECT);
      expect(shown(ts)).not.toContain(APPROVE);
    }
    const still = (await cardsBehind()).map(({ approvalId }) => approvalId);
    for (const { approvalId } of [decided, expired, withdrawn]) expect(still).not.toContain(approvalId);
    expect(shown(decided.ts)).toContain("Rejected");
    expect(shown(expired.ts)).toContain("Expired");
    expect(shown(withdrawn.ts)).toContain("Withdrawn");
  });

  it("is not posted for what ended before anybody was told", async () => {
    const { approvalId, requestId } = await submit();
    await cancelToolRequest(org().agent.actor, { id: requestId });
    await syncCards(org().id, approvalId);
    expect(slack().shown()).toEqual([]);
  });

  it("is found by the sweep where its event was lost", async () => {
    const { approvalId } = await submit();
    await rows("UPDATE approval SET created_at = clock_timestamp() - interval '1 minute' WHERE id = $1", [approvalId]);
    expect((await cardsBehind()).map((due) => due.approvalId)).toContain(approvalId);
    await syncCards(org().id, approvalId);
    expect((await cardsBehind()).map((due) => due.approvalId)).not.toContain(approvalId);
  });

  it("that was just tried in vain comes after the others that are behind", async () => {
    const first = await submit();
    const second = await submit();
    const asked = [first.approvalId, second.approvalId];
    await rows("UPDATE approval SET created_at = clock_timestamp() - interval '1 minute' WHERE id = ANY ($1)", [asked]);
    const order = async () =>
      (await cardsBehind()).map((due) => due.approvalId).filter((approvalId) => asked.includes(approvalId));
    expect(await order()).toEqual(asked);
    slack().refuses = "invalid_blocks";
    await expect(syncCards(org().id, first.approvalId)).rejects.toThrow();
    slack().refuses = null;
    expect(await order()).toEqual(asked.reverse());
  });

  it("names a target that the agent has not reached before, and none that it has", async () => {
    const first = await post("test.final", { target: "first" });
    expect(shown(first.ts)).toContain("Reached for the first time");
    await rows(
      `INSERT INTO seen_target (org_id, agent_id, connection_id, target, first_at) SELECT org_id, agent_id, connection_id, 'first', now()
       FROM tool_request WHERE id = $1 ON CONFLICT DO NOTHING`,
      [first.requestId],
    );
    const again = await post("test.final", { target: "first" });
    expect(shown(again.ts)).not.toContain("Reached for the first time");
  });

  it("shows hostile arguments as data and is still decided upon whole", async () => {
    const text = "<!channel> <https://evil.example|ok> ```\n*Approved* \u202Eexe.pdf\u200B";
    const { ts } = await post("test.final", { target: "a", text });
    const message = slack()
      .shown()
      .find((one) => one.ts === ts);
    const { blocks } = message as { blocks: { type: string }[] };
    expect(message?.text).not.toContain("<");
    for (const block of blocks) {
      if (block.type === "rich_text") continue;
      expect(JSON.stringify(block)).not.toContain("evil");
    }
    expect(shown(ts)).toContain("\u27E6RLO\u27E7exe.pdf\u27E6ZWSP\u27E7");
    expect(shown(ts)).toContain(APPROVE);
  });
});
