import { describe, expect, it } from "vitest";
import { getApproval } from "@/server/services/approvals/get";
import { cancelToolRequest } from "@/server/services/requests/cancel";
import { APPROVE, REJECT } from "@/slack/card/card";
import { slackFixture } from "@/test/db/slack/fixture";

describe.each(["http", "socket"] as const)("over %s:", (mode) => {
  const { org, slack, post, submit, decisions, refusals, told, retried } = slackFixture(mode);

  type Press = { readonly actions: readonly { readonly value: string }[] };
  const pressOn = (ts: string, userId = "U_APPROVER", actionId = APPROVE) =>
    slack().press({ ts, actionId, userId }) as unknown as Press;
  const withAction = (press: Press, more: object) => ({ ...press, actions: [{ ...press.actions[0], ...more }] });
  const digestOf = async (approvalId: string) => (await getApproval(org().approver.actor, { id: approvalId })).digest;
  const buttonValue = async (approvalId: string, more: object = {}) =>
    JSON.stringify({ approval: approvalId, digest: await digestOf(approvalId), ...more });

  describe("a press that no card of ours offers", () => {
    it("decides nothing where the card stands in another channel", async () => {
      const { approvalId, ts } = await post();
      await slack().send({ ...pressOn(ts), channel: { id: "C_ELSEWHERE" } });
      expect(await decisions(approvalId)).toEqual([]);
      expect(await refusals(approvalId)).toEqual([{ code: "slack_no_card", actor: "member" }]);
    });

    it("decides nothing about an approval that has no card yet, as on a forged card of another app", async () => {
      const { ts } = await post();
      const { approvalId: hidden } = await submit();
      await slack().send(withAction(pressOn(ts), { value: await buttonValue(hidden) }));
      expect(await decisions(hidden)).toEqual([]);
      expect(await refusals(hidden)).toEqual([{ code: "slack_no_card", actor: "member" }]);
    });

    it.each([
      ["nothing", ""],
      ["no JSON", "apr_1"],
      ["another kind of thing", JSON.stringify({ approval: "req_01J00000000000000000000000", digest: "0".repeat(64) })],
      ["a list", "[]"],
    ])("decides nothing with a value of %s", async (_what, value) => {
      const { approvalId, ts } = await post();
      await slack().send(withAction(pressOn(ts), { value }));
      expect(await decisions(approvalId)).toEqual([]);
      await expect.poll(() => told("U_APPROVER").join()).toContain("not one of ours");
    });

    it("decides nothing with a value that says more than ours do", async () => {
      const { approvalId, ts } = await post();
      await slack().send(withAction(pressOn(ts), { value: await buttonValue(approvalId, { role: "owner" }) }));
      expect(await decisions(approvalId)).toEqual([]);
    });

    it.each([
      ["another block", { block_id: "somebody.else" }],
      ["another action", { action_id: "approval.approve.all" }],
    ])("reaches nothing in %s", async (_what, more) => {
      const { approvalId, ts } = await post();
      expect((await slack().send(withAction(pressOn(ts), more))).ok).toBe(false);
      expect(await decisions(approvalId)).toEqual([]);
    });
  });

  describe("a dialog that was changed on its way", () => {
    const submission = (metadata: object) => ({
      ...slack().submission("U_APPROVER", "No."),
      ...slack().person("U_APPROVER"),
      type: "view_submission",
      view: {
        id: "V1",
        callback_id: "approval.reject.reason",
        type: "modal",
        private_metadata: JSON.stringify(metadata),
        state: { values: { reason: { reason: { value: "No." } } } },
      },
    });

    it("decides nothing about an approval without a card in that channel", async () => {
      const { approvalId } = await submit();
      const digest = await digestOf(approvalId);
      const answer = await slack().send(submission({ approval: approvalId, digest, channel: "C_APPROVALS" }));
      expect(await answer.json()).toMatchObject({ response_action: "errors" });
      const posted = await post();
      const other = { approval: posted.approvalId, digest: await digestOf(posted.approvalId), channel: "C_ELSEWHERE" };
      expect(await (await slack().send(submission(other))).json()).toMatchObject({ response_action: "errors" });
      for (const id of [approvalId, posted.approvalId]) expect(await decisions(id)).toEqual([]);
    });

    it("decides nothing about another version than the one that was shown", async () => {
      const { approvalId } = await post();
      const old = { approval: approvalId, digest: "0".repeat(64), channel: "C_APPROVALS" };
      expect(await (await slack().send(submission(old))).json()).toMatchObject({ response_action: "errors" });
      expect(await decisions(approvalId)).toEqual([]);
    });
  });

  describe("what is posted", () => {
    it("lets Slack unfold no link and show no picture, in cards and in their threads", async () => {
      const { approvalId, requestId } = await post("test.final", { target: "a", text: "https://evil.example/x.png" });
      await cancelToolRequest(org().agent.actor, { id: requestId });
      await retried(approvalId);
      const posts = slack().calls.filter(({ method }) => method === "chat.postMessage");
      expect(posts).toHaveLength(2);
      for (const { params } of posts) expect(params).toMatchObject({ unfurl_links: "false", unfurl_media: "false" });
    });

    it("holds ids in its buttons and nothing that somebody could change to their good", async () => {
      const { approvalId, ts } = await post("test.final", { target: "a secret target" });
      for (const actionId of [APPROVE, REJECT]) {
        const { value } = pressOn(ts, "U_APPROVER", actionId).actions[0] ?? { value: "" };
        expect(Object.keys(JSON.parse(value))).toEqual(["approval", "digest"]);
        expect(JSON.parse(value).approval).toBe(approvalId);
      }
    });
  });
});
