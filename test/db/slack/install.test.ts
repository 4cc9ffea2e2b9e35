import { describe, expect, it } from "vitest";
import { DEMO_BOT_TOKEN } from "@/server/cli/demo/slack-workspace";
import { env, overrideEnv } from "@/server/env";
import { chooseSlackChannel } from "@/server/services/slack/choose-channel";
import { connectSlack } from "@/server/services/slack/connect";
import { disconnectSlack } from "@/server/services/slack/disconnect";
import { startInstall } from "@/server/services/slack/install";
import { readWorkspace } from "@/server/services/slack/read-workspace";
import { APPROVE, REJECT } from "@/slack/card/card";
import { slackFixture } from "@/test/db/slack/fixture";
import { type TestPerson, testOrganization } from "@/test/support/organization";
import { browserOf, comeBack } from "@/test/support/slack-browser";

const { org, slack, post, submit, decisions, rows, statusOf, told } = slackFixture();

type Whole = { readonly team: string | null; readonly enterprise: string | null };
const workspace = (team: string): Whole => ({ team, enterprise: null });

/** An admin begins, says yes at Slack, and comes back in a browser. */
async function begin(person: TestPerson, whole: Whole) {
  const browser = await browserOf(person);
  const { url } = await startInstall(browser.actor, {});
  const next = slack().oauth.agree(new URL(url), "U_ADMIN", whole);
  return { browser, url: new URL(url), next: next ?? "" };
}
const tokenOf = async (teamId: string) => (await readWorkspace(org().id, teamId)).token?.expose();

describe("an installation", () => {
  it("asks Slack for what the bot needs, to come back to us and nowhere else", async () => {
    const { url } = await begin(org().admin, workspace("T_NEW"));
    expect(url.origin + url.pathname).toBe(`${new URL(env().SLACK_API_URL ?? "").origin}/oauth/v2/authorize`);
    expect(url.searchParams.get("redirect_uri")).toBe(`${env().PUBLIC_URL}/api/slack/oauth/callback`);
    expect(url.searchParams.get("scope")?.split(",")).toContain("chat:write");
    expect(url.searchParams.get("state")).toMatch(/^install\.[A-Za-z0-9_-]{43}$/);
  });

  it("seals the token of another workspace, which waits for a channel", async () => {
    const { browser, next } = await begin(org().admin, workspace("T_SECOND"));
    expect(await comeBack(next, browser)).toBe("done=connected");
    expect(await tokenOf("T_SECOND")).toBe("xoxb-T_SECOND");
    const [row] = await rows<{ sealed_token: Buffer; channel_id: null; problem: string }>(
      "SELECT * FROM slack_workspace WHERE team_id = 'T_SECOND'",
    );
    expect(row).toMatchObject({ channel_id: null, problem: "no_channel" });
    expect(row?.sealed_token.toString("latin1")).not.toContain("xoxb");
    const { approvalId } = await post();
    expect(await rows("SELECT 1 FROM slack_card WHERE approval_id = $1", [approvalId])).toHaveLength(1);
  });

  it("keeps its channel when it is installed again, and its cards go on", async () => {
    const { browser, next } = await begin(org().admin, workspace("T_TEST"));
    expect(await comeBack(next, browser)).toBe("done=connected");
    const { ts } = await post();
    expect(
      slack()
        .shown()
        .map((message) => message.ts),
    ).toEqual([ts]);
  });

  it("is good once, however many come back with it at once", async () => {
    const { browser, next } = await begin(org().admin, workspace("T_ONCE"));
    const answers = await Promise.all(Array.from({ length: 10 }, () => comeBack(next, browser)));
    expect(answers.filter((answer) => answer === "done=connected")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "problem=slack_state_invalid")).toHaveLength(9);
  });

  it("is not finished by another person, another sign-in, nobody, or too late", async () => {
    const { next } = await begin(org().admin, workspace("T_OTHERS"));
    expect(await comeBack(next, await browserOf(org().owner))).toBe("problem=slack_state_invalid");
    expect(await comeBack(next, await browserOf(org().admin))).toBe("problem=slack_state_invalid");
    expect(await comeBack(next, { cookie: "" })).toBe("problem=signed_out");
    const stranger = await testOrganization("Elsewhere");
    expect(await comeBack(next, await browserOf(stranger.admin))).toBe("problem=slack_state_invalid");
    const late = await begin(org().admin, workspace("T_OTHERS"));
    await rows(
      "UPDATE slack_round_trip SET expires_at = clock_timestamp() - interval '1 second' WHERE used_at IS NULL",
    );
    expect(await comeBack(late.next, late.browser)).toBe("problem=slack_state_invalid");
    expect(await rows("SELECT 1 FROM slack_workspace WHERE team_id = 'T_OTHERS'")).toEqual([]);
  });

  it("fails closed with a forged state, a code of no one's, a refusal, and a state of the other kind", async () => {
    const browser = await browserOf(org().admin);
    const back = `${env().PUBLIC_URL}/api/slack/oauth/callback`;
    expect(await comeBack(`${back}?code=x&state=install.${"a".repeat(43)}`, browser)).toBe(
      "problem=slack_state_invalid",
    );
    expect(await comeBack(`${back}?code=x&state=%0d%0a`, browser)).toBe("problem=slack_state_invalid");
    expect(await comeBack(`${back}?error=access_denied&state=x`, browser)).toBe("problem=slack_declined");
    const first = await begin(org().admin, workspace("T_FORGED"));
    const state = first.url.searchParams.get("state") ?? "";
    expect(await comeBack(`${back}?code=stolen&state=${state}`, first.browser)).toBe("problem=slack_refused");
    const second = await begin(org().admin, workspace("T_FORGED"));
    expect(await comeBack(second.next.replace("install.", "link."), second.browser)).toBe(
      "problem=slack_state_invalid",
    );
    expect(await rows("SELECT 1 FROM slack_workspace WHERE team_id = 'T_FORGED'")).toEqual([]);
  });

  it("is an admin's at a browser: no approver, no token, and nothing without the app", async () => {
    await expect(startInstall(org().approver.actor, {})).rejects.toMatchObject({
      details: { reason: "not_permitted" },
    });
    const token = { ...org().admin.actor, via: "token" as const };
    await expect(startInstall(token, {})).rejects.toMatchObject({ details: { reason: "sign_in_only" } });
    const { SLACK_CLIENT_SECRET } = env();
    overrideEnv({ SLACK_CLIENT_SECRET: undefined });
    await expect(startInstall(org().admin.actor, {})).rejects.toMatchObject({
      details: { reason: "slack_not_configured" },
    });
    overrideEnv({ SLACK_CLIENT_SECRET });
  });

  it("of a workspace that another organization has is a conflict, until they let it go", async () => {
    const other = await testOrganization("Other");
    const first = await begin(other.admin, workspace("T_TEST"));
    expect(await comeBack(first.next, first.browser)).toBe("problem=already_exists");
    const theirs = await begin(other.admin, workspace("T_SHARED"));
    expect(await comeBack(theirs.next, theirs.browser)).toBe("done=connected");
    const ours = await begin(org().admin, workspace("T_SHARED"));
    expect(await comeBack(ours.next, ours.browser)).toBe("problem=already_exists");
    await disconnectSlack(other.admin.actor, { teamId: "T_SHARED" });
    const again = await begin(org().admin, workspace("T_SHARED"));
    expect(await comeBack(again.next, again.browser)).toBe("done=connected");
  });
});

describe("an Enterprise Grid, installed as a whole", () => {
  const grid: Whole = { team: null, enterprise: "E_GRID" };
  const ofGrid = { id: "U_GRID", team_id: "T_ANY", enterprise_user: { enterprise_id: "E_GRID" } };

  it("is one installation: its people decide from any of its workspaces, and nobody of another", async () => {
    const { browser, next } = await begin(org().owner, grid);
    expect(await comeBack(next, browser)).toBe("done=connected");
    expect(await tokenOf("E_GRID")).toBe("xoxb-E_GRID");
    await chooseSlackChannel(org().owner.actor, { teamId: "E_GRID", version: 1, channelId: "C_APPROVALS" });
    const { approvalId, ts } = await post();
    slack().set("U_GRID", ofGrid);
    await rows(
      "INSERT INTO slack_link (org_id, team_id, user_id, member_id) VALUES (app.org_id(), 'E_GRID', 'U_GRID', $1)",
      [org().approver.id],
    );
    const press = slack().press({ ts, actionId: APPROVE, userId: "U_GRID" }) as object;
    const whole = { team: { id: "T_ANY" }, enterprise: { id: "E_GRID" }, is_enterprise_install: true };
    slack().set("U_GRID", { ...ofGrid, enterprise_user: { enterprise_id: "E_OTHER" } });
    await slack().send({ ...press, ...whole });
    expect(await decisions(approvalId)).toEqual([]);
    slack().set("U_GRID", ofGrid);
    await slack().send({ ...press, ...whole, trigger_id: "again" });
    expect(await decisions(approvalId)).toMatchObject([{ credential_id: "slack:E_GRID:U_GRID" }]);
  });

  it("is taken at its word where a press, or a dialog, names no workspace", async () => {
    const whole = { team: null, enterprise: { id: "E_GRID" }, is_enterprise_install: true };
    const approved = await post();
    const press = slack().press({ ts: approved.ts, actionId: APPROVE, userId: "U_GRID" }) as object;
    await slack().send({ ...press, ...whole });
    expect(await decisions(approved.approvalId)).toMatchObject([{ decision: "approve" }]);
    const rejected = await post();
    const ask = slack().press({ ts: rejected.ts, actionId: REJECT, userId: "U_GRID" }) as object;
    await slack().send({ ...ask, ...whole });
    await slack().send({ ...(slack().submission("U_GRID", "Not this.") as object), ...whole });
    expect(await decisions(rejected.approvalId)).toMatchObject([
      { decision: "reject", credential_id: "slack:E_GRID:U_GRID" },
    ]);
    await disconnectSlack(org().owner.actor, { teamId: "E_GRID" });
  });
});

describe("an installation that ends", () => {
  it("takes no more calls and posts no more cards, and the log says who ended it", async () => {
    const { browser, next } = await begin(org().admin, workspace("T_ENDING"));
    await comeBack(next, browser);
    expect(await disconnectSlack(org().admin.actor, { teamId: "T_ENDING" })).toMatchObject({ isRevoked: true });
    expect(slack().tokens.has("xoxb-T_ENDING")).toBe(false);
    const [row] = await rows("SELECT sealed_token, removed_at FROM slack_workspace WHERE team_id = 'T_ENDING'");
    expect(row).toMatchObject({ sealed_token: null, removed_at: expect.any(Date) });
    expect((await slack().tell({ type: "app_uninstalled" }, { team_id: "T_ENDING" })).status).toBe(403);
    await expect(disconnectSlack(org().admin.actor, { teamId: "T_ENDING" })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("by being removed in Slack: nobody decides there any more, and approvals go on in the web app", async () => {
    const { approvalId, ts } = await post();
    const press = slack().press({ ts, actionId: APPROVE, userId: "U_APPROVER" }) ?? {};
    expect((await slack().tell({ type: "app_uninstalled" })).status).toBe(200);
    await expect
      .poll(() => rows("SELECT 1 FROM slack_workspace WHERE team_id = 'T_TEST' AND removed_at IS NOT NULL"))
      .toHaveLength(1);
    expect((await slack().send(press)).status).toBe(403);
    expect(await decisions(approvalId)).toEqual([]);
    expect(await statusOf(approvalId)).toBe("pending");
    const { approvalId: later } = await submit();
    expect(await statusOf(later)).toBe("pending");
    expect(
      await rows("SELECT 1 FROM audit_event WHERE type = 'slack.disconnected' AND canonical::text IS NOT NULL"),
    ).not.toEqual([]);
    await connectSlack(org().admin.actor, { token: DEMO_BOT_TOKEN, channelId: "C_APPROVALS" });
  });

  it("by a revoked token: ours is forgotten, another bot's is none of our business", async () => {
    const state = async () =>
      (
        await rows<{ problem: string | null; has: boolean }>(
          "SELECT problem, sealed_token IS NOT NULL AS has FROM slack_workspace WHERE team_id = 'T_TEST'",
        )
      )[0];
    await slack().tell({ type: "tokens_revoked", tokens: { bot: ["U_OTHERBOT"], oauth: ["U_OWNER"] } });
    await slack().tell({ type: "tokens_revoked", tokens: { oauth: ["U_OWNER"] } });
    expect(await state()).toEqual({ problem: null, has: true });
    await slack().tell({ type: "tokens_revoked", tokens: { bot: ["U_COUNTERSIGN"] } });
    await expect.poll(state).toEqual({ problem: "token_revoked", has: false });
    expect(told("U_APPROVER")).toEqual([]);
    await connectSlack(org().admin.actor, { token: DEMO_BOT_TOKEN, channelId: "C_APPROVALS" });
    expect(await state()).toEqual({ problem: null, has: true });
  });
});
