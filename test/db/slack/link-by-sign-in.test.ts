import { beforeAll, describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { env } from "@/server/env";
import { finishLink, startLink } from "@/server/services/slack/link-by-sign-in";
import { slackFixture } from "@/test/db/slack/fixture";
import { TEST_PASSWORD, type TestPerson, testPerson } from "@/test/support/organization";
import { browserOf, comeBack } from "@/test/support/slack-browser";

const { org, slack, post, approve, decisions, rows } = slackFixture();

let person: TestPerson;
beforeAll(async () => {
  person = await withOrgSql(org().id, (q) => testPerson(q, "approver"));
});

/** A person begins with their password, signs in at Slack as somebody, and comes back in the same browser. */
async function begin(userId: string, team = "T_TEST") {
  const browser = await browserOf(person);
  const { url } = await startLink(browser.actor, { password: TEST_PASSWORD });
  const next = slack().oauth.agree(new URL(url), userId, { team, enterprise: null });
  return { browser, url: new URL(url), next: next ?? "" };
}
const linked = async () =>
  (await rows<{ user_id: string }>("SELECT user_id FROM slack_link WHERE member_id = $1", [person.id])).map(
    ({ user_id }) => user_id,
  );

describe("a link by Slack's own sign-in", () => {
  it("is of whoever signed in there, in place of the one before, is in the log, and decides", async () => {
    slack().set("U_FIRST", {});
    slack().set("U_SECOND", {});
    for (const userId of ["U_FIRST", "U_SECOND"]) {
      const { browser, next } = await begin(userId);
      expect(await comeBack(next, browser)).toBe("done=linked");
      expect(await linked()).toEqual([userId]);
    }
    const [entry] = await rows<{ canonical: Buffer }>(
      "SELECT canonical FROM audit_event WHERE type = 'slack.linked' ORDER BY id DESC LIMIT 1",
    );
    const { fields, actor } = JSON.parse(entry?.canonical.toString("utf8") ?? "{}");
    expect({ fields, actor: actor.id }).toEqual({ fields: { team: "T_TEST", member: person.id }, actor: person.id });
    const { approvalId, ts } = await post();
    await approve(ts, "U_SECOND");
    expect(await decisions(approvalId)).toMatchObject([{ member_id: person.id, decision: "approve" }]);
  });

  it("ends the link that another member had to that account, and the log says so", async () => {
    const { browser, next } = await begin("U_MEMBER");
    expect(await comeBack(next, browser)).toBe("done=linked");
    expect(await rows("SELECT 1 FROM slack_link WHERE member_id = $1", [org().member.id])).toEqual([]);
    const entries = await rows<{ canonical: Buffer }>(
      "SELECT canonical FROM audit_event WHERE type = 'slack.unlinked' ORDER BY id DESC LIMIT 2",
    );
    const ended = entries.map(({ canonical }) => JSON.parse(canonical.toString("utf8")));
    // Their own of before ends with it.
    expect(ended.map(({ fields }) => fields.member).sort()).toEqual([org().member.id, person.id].sort());
    for (const { fields, actor } of ended) expect([fields.team, actor.id]).toEqual(["T_TEST", person.id]);
  });

  it("asks Slack for nothing but who it is: no e-mail, no profile", async () => {
    const { url } = await begin("U_FIRST");
    expect(url.pathname).toBe("/openid/connect/authorize");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ scope: "openid", response_type: "code" });
    expect(url.searchParams.get("redirect_uri")).toBe(`${env().PUBLIC_URL}/api/slack/oauth/callback`);
    expect(url.searchParams.get("nonce")).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it.each([
    ["a guest", { is_restricted: true }],
    ["a guest of one channel", { is_ultra_restricted: true }],
    ["somebody of a shared channel", { is_stranger: true }],
    ["a bot", { is_bot: true }],
    ["somebody whose account ended", { deleted: true }],
    ["somebody whose home is another workspace", { team_id: "T_OTHER" }],
  ])("is not made for %s", async (_what, more) => {
    const before = await linked();
    slack().set("U_REFUSED", more);
    const { browser, next } = await begin("U_REFUSED");
    expect(await comeBack(next, browser)).toBe("problem=slack_not_admitted");
    expect(await linked()).toEqual(before);
  });

  it("is not made for a person of a workspace that was not connected, nor while Slack does not say who they are", async () => {
    const before = await linked();
    const other = await begin("U_FIRST", "T_ELSEWHERE");
    expect(await comeBack(other.next, other.browser)).toBe("problem=slack_other_workspace");
    const silent = await begin("U_FIRST");
    slack().next.set("users.info", "rate_limited");
    expect(await comeBack(silent.next, silent.browser)).toBe("problem=slack_unreachable");
    expect(await linked()).toEqual(before);
  });

  it.each([
    ["another nonce", { nonce: "x".repeat(43) }],
    ["no nonce", { nonce: undefined }],
    ["another app's", { aud: "2000000000.2000000000" }],
    ["another issuer", { iss: "https://evil.example" }],
    ["an old time", { iat: 1_000_000_000 }],
    ["an ended time", { exp: 1_000_000_000 }],
    ["no person", { "https://slack.com/user_id": undefined }],
  ])("is not made with an id token of %s", async (_what, claims) => {
    const before = await linked();
    const { browser, next } = await begin("U_FIRST");
    slack().oauth.nextClaims = claims;
    expect(await comeBack(next, browser)).toBe("problem=slack_refused");
    expect(await linked()).toEqual(before);
  });

  it("is not made with an id token that another key signed", async () => {
    const before = await linked();
    const { browser, next } = await begin("U_FIRST");
    slack().oauth.signsWithAnotherKey = true;
    expect(await comeBack(next, browser)).toBe("problem=slack_refused");
    expect(await linked()).toEqual(before);
  });

  it("is good once, and for the sign-in that began it alone", async () => {
    const { browser, next } = await begin("U_FIRST");
    expect(await comeBack(next, await browserOf(org().admin))).toBe("problem=slack_state_invalid");
    expect(await comeBack(next, await browserOf(person))).toBe("problem=slack_state_invalid");
    expect(await comeBack(next, browser)).toBe("done=linked");
    expect(await comeBack(next, browser)).toBe("problem=slack_state_invalid");
  });

  it("takes the password anew, counted and locked, and a sign-in in the web app", async () => {
    const { actor } = await browserOf(person);
    const wrong = () => startLink(actor, { password: "not the password 1" });
    await expect(wrong()).rejects.toMatchObject({ details: { reason: "wrong_password", field: "password" } });
    await expect(startLink({ ...actor, via: "token" }, { password: TEST_PASSWORD })).rejects.toMatchObject({
      details: { reason: "sign_in_only" },
    });
    const state = `link.${"a".repeat(43)}`;
    await expect(finishLink({ ...actor, via: "token" }, { state, code: "x" })).rejects.toMatchObject({
      details: { reason: "sign_in_only" },
    });
    for (let round = 2; round <= 5; round += 1) await expect(wrong()).rejects.toMatchObject({ code: "invalid" });
    await expect(startLink(actor, { password: TEST_PASSWORD })).rejects.toMatchObject({
      details: { reason: "account_locked" },
    });
  });
});
