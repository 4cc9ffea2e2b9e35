import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stopListening } from "@/server/db/listen";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { changeApproverSafety } from "@/server/services/approver-safety/change";
import { getApproverSafety } from "@/server/services/approver-safety/get";
import { startCardKeeper } from "@/slack/keep";
import { slackFixture } from "@/test/db/slack/fixture";

const { org, slack, post, submit, approve, rows } = slackFixture();

const home = (userId: string) => JSON.stringify(slack().homes.get(userId) ?? null);
const opened = async (userId: string) => {
  slack().homes.delete(userId);
  await slack().openHome(userId);
  await expect.poll(() => home(userId)).not.toBe("null");
  return home(userId);
};

describe("the app's home", () => {
  it("shows one's own queue with links, and nothing of what is asked", async () => {
    const { approvalId } = await submit("test.final", { target: "a secret target" });
    const shown = await opened("U_APPROVER");
    expect(shown).toContain(`/approvals/${approvalId}`);
    expect(shown).toContain("test.final");
    expect(shown).not.toContain("a secret target");
  });

  it("shows nothing to decide to whoever counts as having asked", async () => {
    const { approvalId } = await submit();
    await rows("UPDATE member SET role = 'approver' WHERE id = $1", [org().agentOwner.id]);
    expect(await opened("U_REQUESTER")).not.toContain(approvalId);
    expect(await opened("U_REQUESTER")).toContain("Nothing waits for you");
  });

  it("shows an owner who is alone what they asked and may decide", async () => {
    const others = "id <> $1 AND disabled_at IS NULL";
    await rows(`UPDATE member SET disabled_at = '2026-01-01' WHERE ${others}`, [org().owner.id]);
    await rows("UPDATE agent SET owner_id = $1", [org().owner.id]);
    const { approvalId: early } = await submit();
    const { version } = await getApproverSafety(org().owner.actor, {});
    await changeApproverSafety(org().owner.actor, { version, ownerDecidesOwn: true });
    const { approvalId } = await submit();
    const shown = await opened("U_OWNER");
    expect(shown).toContain(approvalId);
    expect(shown).not.toContain(early);
    await rows("UPDATE agent SET owner_id = $1", [org().agentOwner.id]);
    await rows("UPDATE member SET disabled_at = NULL WHERE disabled_at = '2026-01-01'");
  });

  it.each([
    ["a stranger", "U_STRANGER", "is not linked"],
    ["a member who does not decide", "U_MEMBER", "Your role does not decide"],
  ])("says to %s what is in the way", async (_who, userId, words) => {
    const { approvalId } = await submit();
    const shown = await opened(userId);
    expect(shown).toContain(words);
    expect(shown).not.toContain(approvalId);
  });

  it("says so to a guest, however linked", async () => {
    slack().set("U_ADMIN", { is_restricted: true });
    expect(await opened("U_ADMIN")).toContain("Only full members");
    slack().set("U_ADMIN", {});
  });

  it("stays within Slack's limits with a long queue, and says how many more wait", async () => {
    await Promise.all(Array.from({ length: 12 }, () => submit()));
    const shown = await opened("U_APPROVER");
    expect((slack().homes.get("U_APPROVER") as { blocks: unknown[] }).blocks.length).toBeLessThan(100);
    expect(shown).toContain("more wait for you");
    expect(shown.match(/A person has to decide/g)).toHaveLength(10);
  });

  it("keeps what one saw where Slack does not say who that is", async () => {
    const before = await opened("U_APPROVER");
    slack().next.set("users.info", "rate_limited");
    await slack().openHome("U_APPROVER");
    await opened("U_ADMIN");
    expect(home("U_APPROVER")).toBe(before);
  });
});

describe("after a decision", () => {
  let keeper: { stop(): Promise<void> };
  beforeAll(() => {
    keeper = startCardKeeper();
  });
  afterAll(async () => {
    await keeper.stop();
    await stopListening();
  });
  const clear = () => rows("UPDATE approval SET status = 'voided' WHERE status = 'pending'");

  it("in Slack, it is gone from one's queue and among what one decided", async () => {
    await clear();
    const { approvalId, ts } = await post();
    expect(await opened("U_APPROVER")).toContain(approvalId);
    await approve(ts, "U_APPROVER");
    await expect.poll(() => home("U_APPROVER")).not.toContain(approvalId);
    expect(home("U_APPROVER")).toContain("approved · test.final");
  });

  it("in the web app, as well", async () => {
    await clear();
    const { approvalId } = await post();
    expect(await opened("U_APPROVER")).toContain(approvalId);
    const { digest } = await getApproval(org().approver.actor, { id: approvalId });
    await decideApproval(org().approver.actor, { id: approvalId, decision: "reject", digest });
    await expect.poll(() => home("U_APPROVER")).not.toContain(approvalId);
    expect(home("U_APPROVER")).toContain("rejected · test.final");
  });
});
