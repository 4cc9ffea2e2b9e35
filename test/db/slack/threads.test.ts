import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stopListening } from "@/server/db/listen";
import { withOrgSql } from "@/server/db/with-org";
import { decideApproval } from "@/server/services/approvals/decide";
import { escalateApproval } from "@/server/services/approvals/escalate";
import { expireApproval } from "@/server/services/approvals/expire";
import { getApproval } from "@/server/services/approvals/get";
import { remindApproval } from "@/server/services/approvals/remind";
import { cancelToolRequest } from "@/server/services/requests/cancel";
import { returnToQueue } from "@/server/services/requests/return-to-queue";
import { systemActor } from "@/server/services/system-actor";
import { APPROVE, REJECT } from "@/slack/card/card";
import { startCardKeeper } from "@/slack/keep";
import { slackFixture } from "@/test/db/slack/fixture";

const { org, slack, post, submit, shown, rows, retried } = slackFixture();
const system = () => systemActor(org().id, "test");

let keepers: readonly { stop(): Promise<void> }[] = [];
beforeAll(() => {
  // As two replicas would.
  keepers = [startCardKeeper(), startCardKeeper()];
});
afterAll(async () => {
  await Promise.all(keepers.map((keeper) => keeper.stop()));
  await stopListening();
});

const decide = async (approvalId: string, decision: "approve" | "reject", reason?: string) => {
  const { digest } = await getApproval(org().approver.actor, { id: approvalId });
  return decideApproval(org().approver.actor, { id: approvalId, decision, digest, ...(reason ? { reason } : {}) });
};
const past = (approvalId: string) =>
  rows("UPDATE approval SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1", [approvalId]);
const thread = (ts: string) =>
  JSON.stringify(
    slack()
      .replies(ts)
      .map(({ blocks }) => blocks),
  );

type Ending = (posted: { approvalId: string; requestId: string }) => Promise<unknown>;
const ENDINGS: readonly [string, Ending, readonly string[]][] = [
  [
    "rejected in the web app",
    ({ approvalId }) => decide(approvalId, "reject", "Not this <customer>."),
    ["Rejected by", "Some approver", "Not this <customer>."],
  ],
  ["approved in the web app", ({ approvalId }) => decide(approvalId, "approve"), ["Approved by", "Some approver"]],
  [
    "withdrawn by the agent",
    ({ requestId }) => cancelToolRequest(org().agent.actor, { id: requestId }),
    ["Withdrawn", "By", "agent-"],
  ],
  [
    "withdrawn by a person",
    ({ requestId }) => cancelToolRequest(org().approver.actor, { id: requestId }),
    ["Withdrawn", "Some approver"],
  ],
  [
    "expired",
    async ({ approvalId }) => {
      await past(approvalId);
      await expireApproval(system(), { approvalId });
    },
    ["nobody decided in time"],
  ],
  [
    "ended by a statement that nobody foresaw",
    ({ approvalId }) => rows("UPDATE approval SET status = 'voided' WHERE id = $1", [approvalId]),
    ["asked again"],
  ],
];

describe("with no durable work at all", () => {
  it.each(ENDINGS)("a card that was %s is locked, and its thread says how", async (_how, end, words) => {
    const posted = await post();
    expect(shown(posted.ts)).toContain(REJECT);
    await end(posted);
    await expect.poll(() => shown(posted.ts)).not.toMatch(new RegExp(`${APPROVE}|${REJECT}`));
    await expect.poll(() => slack().replies(posted.ts).length).toBe(1);
    for (const part of words) expect(thread(posted.ts)).toContain(part);
  });

  it("an approval that a check sent back locks its card and says why", async () => {
    const { approvalId, requestId, ts } = await post();
    await decide(approvalId, "approve");
    await expect.poll(() => slack().replies(ts).length).toBe(1);
    const at = new Date();
    await withOrgSql(org().id, (q) => returnToQueue(q, [{ requestId, why: "authority_lost", actor: system(), at }]));
    await expect.poll(() => thread(ts)).toContain("Who approved it may no longer do so");
    expect(shown(ts)).toContain("Void");
  });

  it("forty that end at once are all locked, each with one reply", async () => {
    const asked = await Promise.all(Array.from({ length: 40 }, () => submit()));
    await Promise.all(asked.map(({ approvalId }) => retried(approvalId)));
    await rows("UPDATE approval SET status = 'voided' WHERE status = 'pending'");
    const open = () =>
      slack()
        .shown()
        .filter(({ blocks }) => JSON.stringify(blocks).includes(REJECT)).length;
    await expect.poll(open, { timeout: 20_000 }).toBe(0);
    const replies = () => slack().messages.filter(({ thread_ts }) => thread_ts !== undefined).length;
    await expect.poll(replies, { timeout: 20_000 }).toBe(40);
  });
});

describe("what goes on to the next role", () => {
  it("calls the people of that role alone in the thread, each stage once", async () => {
    const { approvalId, ts } = await post();
    const pass = async () => {
      await rows(
        `UPDATE approval SET lifetime_seconds = 86400, expires_at = clock_timestamp() + interval '23 hours',
           escalated_at = escalated_at - interval '1 hour' WHERE id = $1`,
        [approvalId],
      );
      await escalateApproval(system(), { approvalId });
    };
    const last = () => JSON.stringify(slack().replies(ts).at(-1)?.blocks);
    await pass();
    await expect.poll(() => slack().replies(ts).length, { timeout: 10_000, interval: 10 }).toBe(1);
    expect(last()).toContain("on to the admins");
    expect(last()).toContain("U_ADMIN");
    expect(last()).not.toMatch(/U_APPROVER|U_OWNER|U_REQUESTER/);
    await pass();
    await expect.poll(() => slack().replies(ts).length, { timeout: 10_000, interval: 10 }).toBe(2);
    expect(last()).toContain("on to the owners");
    expect(last()).not.toMatch(/U_APPROVER|U_ADMIN/);
    await retried(approvalId);
    expect(slack().replies(ts)).toHaveLength(2);
  });
});

describe("a reminder", () => {
  it("stands in the thread once, calls those who could approve, and is followed by the outcome", async () => {
    const { approvalId, ts } = await post();
    await remindApproval(system(), { approvalId });
    await expect.poll(() => slack().replies(ts).length).toBe(1);
    expect(thread(ts)).toContain("still waits");
    expect(thread(ts)).toContain("U_APPROVER");
    expect(thread(ts)).not.toMatch(/U_MEMBER|U_REQUESTER|U_STRANGER/);
    await retried(approvalId);
    expect(slack().replies(ts)).toHaveLength(1);
    await decide(approvalId, "reject");
    await expect.poll(() => slack().replies(ts).length).toBe(2);
  });
});
