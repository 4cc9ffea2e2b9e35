import { describe, expect, it } from "vitest";
import { canonicalJson } from "@/server/domain/canonical-json";
import { checkSlack } from "@/server/services/slack/check";
import { APPROVE, REJECT } from "@/slack/card/card";
import { syncCards } from "@/slack/deliver";
import { slackFixture } from "@/test/db/slack/fixture";

const { org, slack, submit, post, shown, rows, reject, statusOf, retried } = slackFixture();

const long = (text = "") => ({ target: "a", text: `${'say "no" '.repeat(1_000)}${text}` });
const filesBelow = (ts: string) =>
  slack()
    .replies(ts)
    .flatMap(({ files = [] }) => files);
const uploads = () => slack().calls.filter(({ method }) => method === "files.completeUploadExternal").length;
const expired = (approvalId: string, more = "") =>
  rows(`UPDATE slack_card SET lease_until = clock_timestamp()${more} WHERE approval_id = $1`, [approvalId]);

describe("what does not fit whole on a card", () => {
  it("is a file of the exact arguments in its thread; the card has its short fields, a link and no way to approve", async () => {
    const args = long("\u202Eevil\u200B");
    const { approvalId, ts } = await post("test.final", args);
    const [file, ...others] = filesBelow(ts);
    expect(others).toEqual([]);
    expect(JSON.parse(file?.content ?? "")).toEqual(args);
    expect(file?.content).not.toMatch(/[\u202E\u200B]/);
    expect(file?.content.replaceAll("\\u202e", "\u202E").replaceAll("\\u200b", "\u200B")).toBe(canonicalJson(args));
    expect(shown(ts)).toContain('target: \\"a\\"');
    expect(shown(ts)).not.toContain(APPROVE);
    expect(shown(ts)).toContain(`/approvals/${approvalId}`);
    expect(shown(ts)).toContain(REJECT);
    await reject(ts, "U_APPROVER", "no");
    expect(await statusOf(approvalId)).toBe("rejected");
  });

  it("is no file where it fits", async () => {
    const { ts } = await post();
    expect(filesBelow(ts)).toEqual([]);
    expect(uploads()).toBe(0);
  });

  it("is there once, whoever syncs how often, after a lost answer and after a crash before the record", async () => {
    const { approvalId } = await submit("test.final", long());
    await Promise.allSettled(Array.from({ length: 8 }, () => syncCards(org().id, approvalId)));
    await syncCards(org().id, approvalId);
    const ts = slack().shown().at(-1)?.ts ?? "";
    expect(filesBelow(ts)).toHaveLength(1);
    await expired(approvalId, ", has_file = false, is_file_unsure = true");
    await syncCards(org().id, approvalId);
    expect(filesBelow(ts)).toHaveLength(1);
    const lost = await submit("test.final", long());
    slack().next.set("files.completeUploadExternal", "lost");
    await expect(syncCards(org().id, lost.approvalId)).rejects.toThrow();
    await expired(lost.approvalId);
    await syncCards(org().id, lost.approvalId);
    const [card] = await rows<{ ts: string; has_file: boolean }>("SELECT * FROM slack_card WHERE approval_id = $1", [
      lost.approvalId,
    ]);
    expect(card?.has_file).toBe(true);
    expect(filesBelow(card?.ts ?? "")).toHaveLength(1);
  });

  it("comes later where Slack asks for patience", async () => {
    const { approvalId } = await submit("test.final", long());
    slack().next.set("files.completeUploadExternal", "rate_limited");
    await expect(syncCards(org().id, approvalId)).rejects.toMatchObject({ name: "CardLater" });
    await expired(approvalId);
    await retried(approvalId);
    expect(filesBelow(slack().shown().at(-1)?.ts ?? "")).toHaveLength(1);
  });

  it("never goes to a channel that is not the current one, where only a link stands", async () => {
    const { approvalId, ts } = await post("test.final", long());
    await expired(approvalId, ", has_file = false, is_file_unsure = false, shown = ''");
    await rows("UPDATE slack_workspace SET channel_id = 'C_ALERTS'");
    try {
      const before = uploads();
      await syncCards(org().id, approvalId);
      expect(shown(ts)).toContain("not shown in a channel");
      expect(slack().messages.filter(({ channel, files }) => channel === "C_APPROVALS" && files)).toHaveLength(1);
      expect(uploads()).toBe(before + 1);
    } finally {
      await rows("UPDATE slack_workspace SET channel_id = 'C_APPROVALS'");
    }
  });

  it("does without where the app lacks the permission; the check names it and cards go on", async () => {
    const all = slack().scopes;
    slack().scopes = all.filter((scope) => scope !== "files:write");
    try {
      const { ts } = await post("test.final", long());
      expect(shown(ts)).toContain(REJECT);
      expect(filesBelow(ts)).toEqual([]);
      const { items } = await checkSlack(org().admin.actor, { teamId: slack().team });
      const permissions = items.find(({ name }) => name === "permissions");
      expect(permissions).toMatchObject({ isGood: false });
      expect(permissions?.found).toContain("files:write");
      expect(await rows("SELECT 1 FROM slack_workspace WHERE problem IS NOT NULL")).toEqual([]);
    } finally {
      slack().scopes = all;
    }
  });
});
