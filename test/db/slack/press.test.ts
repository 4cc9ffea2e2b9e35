import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { openJson } from "@/server/services/gateway/content";
import { createRule } from "@/server/services/rules/create";
import { APPROVE, REJECT } from "@/slack/card/card";
import { slackFixture } from "@/test/db/slack/fixture";

describe.each(["http", "socket"] as const)("over %s:", (mode) => {
  const { org, slack, post, approve, reject, decisions, statusOf, told, refusals, shown, rows, submit, retried } =
    slackFixture(mode);

  describe("a press on approve", () => {
    it("decides as the linked member, is in the log as coming from Slack, and locks the card", async () => {
      const { approvalId, requestId, ts } = await post();
      expect(shown(ts)).toContain(APPROVE);
      expect(await approve(ts, "U_APPROVER")).toEqual({ status: 200, answer: "" });
      const [decision, ...others] = await decisions(approvalId);
      expect(others).toEqual([]);
      expect(decision).toMatchObject({ decision: "approve", via: "slack", member_id: org().approver.id });
      expect(await statusOf(approvalId)).toBe("approved");
      const [request] = await rows<{ status: string }>("SELECT status FROM tool_request WHERE id = $1", [requestId]);
      expect(request?.status).toBe("ready");
      await expect.poll(() => shown(ts)).not.toContain(APPROVE);
      expect(shown(ts)).not.toContain(REJECT);
      expect(shown(ts)).toContain("Some approver approved at");
    });

    it("is a conflict the second time, with a word to that person alone", async () => {
      const { approvalId, ts } = await post();
      const payload = slack().press({ ts, actionId: APPROVE, userId: "U_ADMIN" }) ?? {};
      await approve(ts, "U_APPROVER");
      expect((await slack().send(payload)).status).toBe(200);
      await expect.poll(() => told("U_ADMIN").join()).toContain("approved already");
      expect(await decisions(approvalId)).toHaveLength(1);
      expect(await refusals(approvalId)).toEqual([{ code: "already_decided", actor: "member" }]);
    });

    it("counts one of two people where a rule asks for two", async () => {
      const rule = {
        name: "two",
        verdict: "approval" as const,
        condition: "action == 'test.write'",
        people: 2 as const,
      };
      await createRule(org().admin.actor, { ...rule, reason: "test" });
      const { approvalId, ts } = await post("test.write");
      await approve(ts, "U_APPROVER");
      expect(await statusOf(approvalId)).toBe("pending");
      await expect.poll(() => told("U_APPROVER").join()).toContain("It takes 1 more");
      await approve(ts, "U_APPROVER");
      expect(await decisions(approvalId)).toHaveLength(1);
      await approve(ts, "U_ADMIN");
      expect(await statusOf(approvalId)).toBe("approved");
    });

    it("decides nothing after the approval was decided in the web app or its time is over", async () => {
      const web = await post();
      const press = slack().press({ ts: web.ts, actionId: APPROVE, userId: "U_ADMIN" }) ?? {};
      const { digest } = await getApproval(org().approver.actor, { id: web.approvalId });
      await decideApproval(org().approver.actor, { id: web.approvalId, decision: "reject", digest });
      await slack().send(press);
      expect(await statusOf(web.approvalId)).toBe("rejected");
      const late = await post();
      await rows("UPDATE approval SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1", [
        late.approvalId,
      ]);
      await approve(late.ts, "U_APPROVER");
      expect(await decisions(late.approvalId)).toEqual([]);
      expect(await refusals(late.approvalId)).toEqual([{ code: "expired", actor: "member" }]);
    });

    it("decides nothing with another digest than the approval's", async () => {
      const { approvalId, ts } = await post();
      const press = slack().press({ ts, actionId: APPROVE, userId: "U_APPROVER" }) as { actions: { value: string }[] };
      const value = JSON.stringify({ approval: approvalId, digest: "0".repeat(64) });
      await slack().send({ ...press, actions: [{ ...press.actions[0], value }] });
      expect(await decisions(approvalId)).toEqual([]);
      expect(await refusals(approvalId)).toEqual([{ code: "digest_mismatch", actor: "member" }]);
    });

    it("never approves high risk, whatever the button said", async () => {
      const { approvalId, ts } = await post("test.high");
      expect(shown(ts)).not.toContain(APPROVE);
      const press = slack().press({ ts, actionId: REJECT, userId: "U_APPROVER" }) as { actions: object[] };
      await slack().send({ ...press, actions: [{ ...press.actions[0], action_id: APPROVE }] });
      expect(await decisions(approvalId)).toEqual([]);
      expect(await refusals(approvalId)).toEqual([{ code: "slack_high_risk", actor: "member" }]);
    });

    it("approves only low risk where the organization says so, read at the press; rejecting works", async () => {
      const { approvalId, ts } = await post();
      expect(shown(ts)).toContain(APPROVE);
      await rows("UPDATE tool_request SET risk = 'medium'");
      await rows("UPDATE organization SET slack_max_risk = 'low'");
      try {
        await approve(ts, "U_APPROVER");
        expect(await decisions(approvalId)).toEqual([]);
        expect(await refusals(approvalId)).toEqual([{ code: "slack_risk_limit", actor: "member" }]);
        const later = await submit();
        await rows("UPDATE tool_request SET risk = 'medium'");
        await retried(later.approvalId);
        const at = slack().shown().at(-1)?.ts ?? "";
        expect(shown(at)).not.toContain(APPROVE);
        await reject(at, "U_APPROVER", "no");
        expect(await statusOf(later.approvalId)).toBe("rejected");
      } finally {
        await rows("UPDATE organization SET slack_max_risk = 'medium'");
      }
    });

    it("lets one of twenty contrary presses at once decide", async () => {
      const { approvalId, ts } = await post();
      const people = ["U_OWNER", "U_ADMIN", "U_APPROVER"];
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const userId = people[index % 3] ?? "";
          return index % 2 === 0 ? approve(ts, userId) : reject(ts, userId);
        }),
      );
      expect(await decisions(approvalId)).toHaveLength(1);
      expect(["approved", "rejected"]).toContain(await statusOf(approvalId));
    });
  });

  describe("a press on reject", () => {
    it("asks for the reason, decides with it, and locks the card", async () => {
      const { approvalId, ts } = await post();
      expect(await reject(ts, "U_APPROVER", "Wrong customer.")).toEqual({ status: 200, answer: "" });
      const [decision] = await decisions(approvalId);
      expect(decision).toMatchObject({ decision: "reject", via: "slack" });
      const { id, sealed_reason } = decision as unknown as { id: string; sealed_reason: Buffer };
      expect(await openJson(org().id, id, "reason", sealed_reason)).toBe("Wrong customer.");
      await expect.poll(() => shown(ts)).toContain("Rejected");
      expect(shown(ts)).not.toContain(REJECT);
    });

    it("opens no dialog for whoever may not decide", async () => {
      const { approvalId, ts } = await post();
      await reject(ts, "U_STRANGER");
      expect(slack().calls.map(({ method }) => method)).not.toContain("views.open");
      expect(await decisions(approvalId)).toEqual([]);
    });

    it("reads the person again when the dialog is sent", async () => {
      const { approvalId, ts } = await post();
      slack().set("U_LEAVER", {});
      await slack().send(slack().press({ ts, actionId: REJECT, userId: "U_APPROVER" }) ?? {});
      const submission = slack().submission("U_APPROVER", "No.") ?? {};
      const answer = await slack().send({ ...submission, ...slack().person("U_LEAVER") });
      expect(await answer.json()).toMatchObject({ response_action: "errors" });
      expect(await decisions(approvalId)).toEqual([]);
    });
  });

  describe("who may not", () => {
    const none = async (userId: string, code: string, actor = "anonymous") => {
      const { approvalId, ts } = await post();
      const before = told(userId).length;
      expect((await approve(ts, userId)).status).toBe(200);
      expect(await decisions(approvalId)).toEqual([]);
      expect(await refusals(approvalId)).toEqual([{ code, actor }]);
      await expect.poll(() => told(userId)).toHaveLength(before + 1);
      return told(userId).join();
    };

    it("is a stranger, who is told how to link", async () => {
      expect(await none("U_STRANGER", "slack_unlinked")).toContain("link yourself on its Slack page");
    });

    it.each([
      ["a guest", { is_restricted: true }],
      ["a guest of one channel", { is_ultra_restricted: true }],
      ["somebody of a shared channel", { is_stranger: true }],
      ["a bot", { is_bot: true }],
      ["somebody whose account ended", { deleted: true }],
      ["somebody of another workspace", { team_id: "T_OTHER" }],
    ])("is %s, however linked", async (_what, more) => {
      slack().set("U_OWNER", more);
      await none("U_OWNER", "slack_not_admitted");
      slack().set("U_OWNER", {});
    });

    it("is a member without the right, and whoever counts as having asked", async () => {
      expect(await none("U_MEMBER", "not_permitted", "member")).toContain("Your role does not decide");
      await none("U_REQUESTER", "own_request", "member");
    });

    it("is a member who was disabled, or lost the role, a moment ago", async () => {
      const change = (text: string) => withOrgSql(org().id, (q) => q.query(text, [org().approver.id]));
      await change("UPDATE member SET disabled_at = clock_timestamp() WHERE id = $1");
      await none("U_APPROVER", "slack_disabled");
      await change("UPDATE member SET disabled_at = NULL, role = 'auditor' WHERE id = $1");
      await none("U_APPROVER", "not_permitted", "member");
      await change("UPDATE member SET role = 'approver' WHERE id = $1");
    });

    it("is anybody while Slack does not say who they are", async () => {
      const { approvalId, ts } = await post();
      slack().next.set("users.info", "rate_limited");
      await approve(ts, "U_APPROVER");
      expect(await decisions(approvalId)).toEqual([]);
      await expect.poll(() => told("U_APPROVER").join()).toContain("did not say who you are");
    });
  });
});
