import { beforeEach, describe, expect, it } from "vitest";
import { DEMO_CHANNEL } from "@/server/cli/demo/slack-calls";
import { DEMO_BOT_TOKEN } from "@/server/cli/demo/slack-workspace";
import { env, overrideEnv } from "@/server/env";
import { consoleSummary } from "@/server/services/console/summary";
import { cardsBehind } from "@/server/services/slack/cards-behind";
import { checkSlack } from "@/server/services/slack/check";
import { chooseSlackChannel } from "@/server/services/slack/choose-channel";
import { connectSlack } from "@/server/services/slack/connect";
import { listOwnSlackLinks, listSlackLinks, unlinkPerson, unlinkSelf } from "@/server/services/slack/links";
import { listSlackWorkspaces } from "@/server/services/slack/list-workspaces";
import { sweepSlackProblems } from "@/server/services/slack/sweep-problems";
import { syncCards } from "@/slack/deliver";
import { slackFixture } from "@/test/db/slack/fixture";
import { testOrganization } from "@/test/support/organization";

const { org, slack, post, submit, approve, decisions, statusOf, rows } = slackFixture();
const TEAM = "T_TEST";
const admin = () => org().admin.actor;

beforeEach(async () => {
  Object.assign(slack().channel, { is_private: true, is_member: true, is_shared: false, is_archived: false });
  slack().scopes = [
    "chat:write",
    "commands",
    "users:read",
    "groups:read",
    "groups:history",
    "channels:read",
    "channels:history",
    "files:write",
  ];
  slack().tokens.set(DEMO_BOT_TOKEN, { team: TEAM, enterprise: null });
  await connectSlack(admin(), { token: DEMO_BOT_TOKEN, channelId: DEMO_CHANNEL });
});

const problem = async () =>
  (await listSlackWorkspaces(admin(), {})).items.find(({ teamId }) => teamId === TEAM)?.problem?.code ?? null;
const banner = async () => (await consoleSummary(admin(), {})).slackProblems;
const bad = async () =>
  (await checkSlack(admin(), { teamId: TEAM })).items
    .filter(({ isGood }) => !isGood)
    .map(({ name, found, next }) => ({ name, text: `${found} ${next}` }));

describe("the set-up check", () => {
  it("finds nothing where everything is there, and posts nothing", async () => {
    await post();
    await slack().command("U_OWNER", "help");
    slack().calls.splice(0);
    expect(await bad()).toEqual([]);
    expect(slack().calls.map(({ method }) => method)).toEqual(["auth.test", "conversations.info"]);
    expect(await problem()).toBeNull();
  });

  it.each([
    [
      "a permission that is missing, by name",
      "permissions",
      "groups:read",
      () => {
        slack().scopes = slack().scopes.filter((scope) => scope !== "groups:read");
      },
      "missing_scope",
    ],
    [
      "a bot that is not in the channel",
      "channel",
      "/invite",
      () => {
        slack().channel.is_member = false;
      },
      "not_in_channel",
    ],
    [
      "an archived channel",
      "channel",
      "Choose another channel",
      () => {
        slack().channel.is_archived = true;
      },
      "channel_gone",
    ],
    [
      "a shared channel, in which nothing is shown",
      "channel",
      "links",
      () => {
        slack().channel.is_shared = true;
      },
      null,
    ],
    [
      "a token that Slack does not take",
      "token",
      "Connect the workspace again",
      () => {
        slack().tokens.clear();
      },
      "token_revoked",
    ],
  ] as const)("finds %s", async (_what, name, words, breakIt, code) => {
    await slack().command("U_OWNER", "help");
    breakIt();
    expect(await bad()).toEqual([{ name, text: expect.stringContaining(words) }]);
    expect(await problem()).toBe(code);
    expect(await banner()).toBe(code === null ? 0 : 1);
  });

  it("finds a signing secret that is not set, and that Slack never called", async () => {
    const { SLACK_SIGNING_SECRET } = env();
    await rows("UPDATE slack_workspace SET last_call_at = NULL");
    overrideEnv({ SLACK_SIGNING_SECRET: undefined });
    expect((await bad()).map(({ name }) => name)).toEqual(["signing secret", "calls from Slack"]);
    overrideEnv({ SLACK_SIGNING_SECRET });
  });

  it("says that Slack did not answer, and holds that against nobody", async () => {
    const { SLACK_API_URL } = env();
    overrideEnv({ SLACK_API_URL: "http://127.0.0.1:9/api/" });
    expect((await bad()).map(({ name }) => name)).toContain("token");
    overrideEnv({ SLACK_API_URL });
    expect(await problem()).toBeNull();
  });

  it("is an admin's, of their own workspace", async () => {
    await expect(checkSlack(org().approver.actor, { teamId: TEAM })).rejects.toMatchObject({ code: "forbidden" });
    const other = await testOrganization("Other");
    await expect(checkSlack(other.admin.actor, { teamId: TEAM })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a card that Slack does not take", () => {
  it.each([
    [
      "a bot that was removed from the channel",
      () => {
        slack().refuses = "not_in_channel";
      },
      "not_in_channel",
    ],
    [
      "a channel that is gone",
      () => {
        slack().refuses = "channel_not_found";
      },
      "channel_gone",
    ],
    [
      "a revoked token",
      () => {
        slack().tokens.clear();
      },
      "token_revoked",
    ],
  ] as const)(
    "tells admins of %s; the approval waits in the web app, and the card comes once it is mended",
    async (_what, breakIt, code) => {
      const { approvalId } = await submit();
      await rows("UPDATE approval SET created_at = clock_timestamp() - interval '1 minute' WHERE id = $1", [
        approvalId,
      ]);
      breakIt();
      await syncCards(org().id, approvalId);
      expect(await problem()).toBe(code);
      expect(await banner()).toBe(1);
      expect((await consoleSummary(org().approver.actor, {})).slackProblems).toBe(0);
      expect(await statusOf(approvalId)).toBe("pending");
      expect((await cardsBehind()).map((due) => due.approvalId)).not.toContain(approvalId);
      slack().refuses = null;
      slack().tokens.set(DEMO_BOT_TOKEN, { team: TEAM, enterprise: null });
      await sweepSlackProblems();
      expect(await problem()).toBeNull();
      expect((await cardsBehind()).map((due) => due.approvalId)).toContain(approvalId);
      await syncCards(org().id, approvalId);
      expect(slack().shown()).toHaveLength(1);
      expect(await rows("SELECT 1 FROM audit_event WHERE type = 'slack.problem'")).not.toEqual([]);
    },
  );
});

describe("the channel", () => {
  const choose = (more: object) =>
    chooseSlackChannel(admin(), { teamId: TEAM, version: 1, channelId: DEMO_CHANNEL, ...more });
  const version = async () => (await listSlackWorkspaces(admin(), {})).items[0]?.version ?? 0;

  it("is one that the bot is in, of the workspace as the admin saw it", async () => {
    expect(await choose({ version: await version() })).toMatchObject({ channelId: DEMO_CHANNEL, isOpenChannel: false });
    await expect(choose({ version: 999 })).rejects.toMatchObject({ details: { reason: "stale_version" } });
    await expect(choose({ version: await version(), channelId: "C_NOWHERE" })).rejects.toMatchObject({
      details: { reason: "slack_refused" },
    });
    slack().channel.is_member = false;
    await expect(choose({ version: await version() })).rejects.toMatchObject({ details: { reason: "slack_refused" } });
    await expect(
      chooseSlackChannel(org().approver.actor, { teamId: TEAM, version: 1, channelId: DEMO_CHANNEL }),
    ).rejects.toMatchObject({ code: "forbidden" });
  });
});

describe("links", () => {
  it("are seen and ended by an admin, one's own by oneself, and decide nothing from then on", async () => {
    const { items } = await listSlackLinks(admin(), {});
    expect(items.map(({ userId }) => userId)).toEqual(expect.arrayContaining(["U_OWNER", "U_APPROVER"]));
    await expect(listSlackLinks(org().approver.actor, {})).rejects.toMatchObject({ code: "forbidden" });
    const own = async () => (await listOwnSlackLinks(org().approver.actor, {})).items.map(({ userId }) => userId);
    expect(await own()).toEqual(["U_APPROVER"]);
    const { approvalId, ts } = await post();
    await unlinkSelf(org().approver.actor, { teamId: TEAM });
    expect(await own()).toEqual([]);
    await approve(ts, "U_APPROVER");
    await unlinkPerson(admin(), { teamId: TEAM, memberId: org().owner.id });
    await approve(ts, "U_OWNER");
    expect(await decisions(approvalId)).toEqual([]);
    await expect(unlinkPerson(admin(), { teamId: TEAM, memberId: org().owner.id })).rejects.toMatchObject({
      code: "not_found",
    });
    const other = await testOrganization("Another");
    await expect(unlinkPerson(other.admin.actor, { teamId: TEAM, memberId: org().admin.id })).rejects.toMatchObject({
      code: "not_found",
    });
    const entries = await rows<{ canonical: Buffer }>(
      "SELECT canonical FROM audit_event WHERE type = 'slack.unlinked' ORDER BY id",
    );
    expect(entries.map(({ canonical }) => JSON.parse(canonical.toString("utf8")).actor.id)).toEqual([
      org().approver.id,
      org().admin.id,
    ]);
  });
});
