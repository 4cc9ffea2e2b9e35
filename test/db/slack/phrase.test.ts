import { describe, expect, it } from "vitest";
import { changeSlackPhrase, getSlackPhrase } from "@/server/services/slack/phrase";
import { syncCards } from "@/slack/deliver";
import { slackFixture } from "@/test/db/slack/fixture";
import { testOrganization } from "@/test/support/organization";

const { org, slack, post, submit, shown, approve, rows } = slackFixture();

const PHRASE = "grey otter, north door";
const SAID = "The phrase of your organization";

describe("the phrase of an organization", () => {
  it("stands on its cards, above what an agent can influence, waiting and decided, and in the app's home", async () => {
    const before = await post();
    expect(shown(before.ts)).not.toContain(SAID);
    await changeSlackPhrase(org().admin.actor, { phrase: PHRASE });
    const { ts } = await post();
    expect(shown(ts).indexOf(PHRASE)).toBeGreaterThan(0);
    expect(shown(ts).indexOf(PHRASE)).toBeLessThan(shown(ts).indexOf("Exactly what will run"));
    await approve(ts, "U_APPROVER");
    await expect.poll(() => shown(ts)).toContain("approved at");
    expect(shown(ts)).toContain(PHRASE);
    await slack().openHome("U_APPROVER");
    await expect.poll(() => JSON.stringify(slack().homes.get("U_APPROVER"))).toContain(PHRASE);
    await slack().openHome("U_STRANGER");
    await expect.poll(() => JSON.stringify(slack().homes.get("U_STRANGER") ?? "")).toContain("not linked");
    expect(JSON.stringify(slack().homes.get("U_STRANGER"))).not.toContain(PHRASE);
  });

  it("stays out of a channel that is not the current one, or open to others", async () => {
    await changeSlackPhrase(org().admin.actor, { phrase: PHRASE });
    const { approvalId, ts } = await post();
    await rows("UPDATE slack_card SET shown = '', lease_until = NULL WHERE approval_id = $1", [approvalId]);
    await rows("UPDATE slack_workspace SET channel_id = 'C_ALERTS'");
    try {
      await syncCards(org().id, approvalId);
      expect(shown(ts)).not.toContain(PHRASE);
    } finally {
      await rows("UPDATE slack_workspace SET channel_id = 'C_APPROVALS'");
    }
  });

  it("is set by admins, read by those who decide, and by nobody else", async () => {
    const refused = { details: { reason: "not_permitted" } };
    for (const person of [org().member, org().auditor])
      await expect(getSlackPhrase(person.actor, {})).rejects.toMatchObject(refused);
    await expect(getSlackPhrase(org().agent.actor as never, {})).rejects.toMatchObject({
      details: { reason: "wrong_caller" },
    });
    await expect(changeSlackPhrase(org().approver.actor, { phrase: PHRASE })).rejects.toMatchObject(refused);
    await changeSlackPhrase(org().owner.actor, { phrase: PHRASE });
    expect(await getSlackPhrase(org().approver.actor, {})).toEqual({ phrase: PHRASE });
    expect(await getSlackPhrase((await testOrganization("Other")).admin.actor, {})).toEqual({ phrase: null });
  });

  it("is sealed, and its change is in the log without it", async () => {
    await changeSlackPhrase(org().admin.actor, { phrase: PHRASE });
    const [row] = await rows<{ sealed: Buffer }>("SELECT sealed_slack_phrase AS sealed FROM organization");
    expect(row?.sealed.toString("latin1")).not.toContain("otter");
    const logged = await rows<{ canonical: Buffer }>(
      "SELECT canonical FROM audit_event WHERE type = 'organization.changed'",
    );
    const texts = logged.map(({ canonical }) => canonical.toString("utf8"));
    expect(texts.at(-1)).toContain("slackPhrase");
    expect(texts.join()).not.toContain("otter");
    await changeSlackPhrase(org().admin.actor, { phrase: null });
    const { approvalId } = await submit();
    await syncCards(org().id, approvalId);
    expect(JSON.stringify(slack().shown())).not.toContain(SAID);
  });

  it.each([
    ["too short", "abc"],
    ["of two lines", "grey\notter"],
    ["with a hidden character", "grey\u200Botter"],
    ["of mixed scripts", "gr\u0435y otter"],
  ])("is refused when it is %s", async (_what, phrase) => {
    await expect(changeSlackPhrase(org().admin.actor, { phrase })).rejects.toMatchObject({ code: "invalid" });
  });
});
