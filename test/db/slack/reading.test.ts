import { describe, expect, it } from "vitest";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { openApproval } from "@/server/services/approvals/open";
import { createRule } from "@/server/services/rules/create";
import { slackFixture } from "@/test/db/slack/fixture";

const { org, post, approve, statusOf, told, rows, shown } = slackFixture();
const RULE = {
  name: "read it",
  verdict: "approval",
  condition: "action == 'test.final'",
  secondIfQuick: true,
} as const;

describe("where a rule asks for a second person after a quick approval, a press", () => {
  it("counts from when the card was there, with a word to that person alone", async () => {
    await createRule(org().admin.actor, { ...RULE, reason: "test" });
    const quick = await post();
    await approve(quick.ts, "U_APPROVER");
    expect(await statusOf(quick.approvalId)).toBe("pending");
    await expect.poll(() => told("U_APPROVER").join()).toContain("faster than it can be read");
    await expect.poll(() => shown(quick.ts)).toContain("faster than it can be read");
    await approve(quick.ts, "U_ADMIN");
    expect(await statusOf(quick.approvalId)).toBe("approved");
    const read = await post();
    await rows("UPDATE slack_card SET created_at = now() - interval '1 minute' WHERE approval_id = $1", [
      read.approvalId,
    ]);
    await approve(read.ts, "U_APPROVER");
    expect(await statusOf(read.approvalId)).toBe("approved");
  });

  it("in the web app counts from its opening there, whatever card there was", async () => {
    const { approvalId } = await post();
    await rows("UPDATE slack_card SET created_at = now() - interval '1 minute' WHERE approval_id = $1", [approvalId]);
    const { id, digest } = await getApproval(org().approver.actor, { id: approvalId });
    await decideApproval(org().approver.actor, { id, digest, decision: "approve" });
    expect(await statusOf(approvalId)).toBe("pending");
  });

  it("counts from the opening in the web app where that was earlier", async () => {
    const { approvalId, ts } = await post();
    await openApproval(org().approver.actor, { id: approvalId });
    await rows("UPDATE slack_card SET created_at = now() + interval '1 minute' WHERE approval_id = $1", [approvalId]);
    await approve(ts, "U_APPROVER");
    const [decision] = await rows<{ early: boolean }>(
      "SELECT opened_at < decided_at AS early FROM decision WHERE approval_id = $1",
      [approvalId],
    );
    expect(decision?.early).toBe(true);
  });
});
