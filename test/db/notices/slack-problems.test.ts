import { describe, expect, it } from "vitest";
import { env, overrideEnv } from "@/server/env";
import { changeMails, getMails } from "@/server/services/identity/self/mails";
import { noteAlertsProblem } from "@/server/services/slack/alerts";
import { noteSlackProblem } from "@/server/services/slack/watch-installation";
import { systemActor } from "@/server/services/system-actor";
import { mailFixture } from "@/test/db/notices/fixture";

const { org, mails, rows, deliver, sendAll, mailed, statuses, ask, tell, connectSlack } = mailFixture();

describe("where Slack is connected", () => {
  it("approvals are not mailed to who is linked there, and are as soon as its channel is gone", async () => {
    const teamId = await connectSlack();
    await tell(await ask(), "approval_requested");
    await sendAll();
    // Not linked, so no card is theirs to press.
    expect(mailed()).toEqual([org().approver.email]);
    mails().splice(0);
    await rows("INSERT INTO slack_link (org_id, team_id, user_id, member_id) VALUES (app.org_id(), $1, 'U2', $2)", [
      teamId,
      org().approver.id,
    ]);
    await tell(await ask(), "approval_requested");
    await sendAll();
    expect(mailed()).toEqual([]);
    await noteSlackProblem(systemActor(org().id, "test"), { teamId, problem: "channel_gone" });
    await tell(await ask(), "approval_requested");
    await sendAll();
    expect(mailed()).toContain(org().approver.email);
  });

  it("a problem is mailed to admins and owners once, whatever they chose for approvals, and not when it is over", async () => {
    const teamId = await connectSlack();
    await changeMails(org().admin.actor, { approvalMails: false });
    await noteSlackProblem(systemActor(org().id, "test"), { teamId, problem: "token_revoked" });
    await noteSlackProblem(systemActor(org().id, "test"), { teamId, problem: "token_revoked" });
    await deliver();
    expect(mailed()).toEqual([org().admin.email, org().owner.email].sort());
    expect(mails()[0]?.raw).toContain(`${env().PUBLIC_URL}/slack`);
    await noteSlackProblem(systemActor(org().id, "test"), { teamId, problem: "not_in_channel" });
    await noteSlackProblem(systemActor(org().id, "test"), { teamId, problem: null });
    await deliver();
    expect(mails()).toHaveLength(2);
  });
});

describe("where the alerts channel takes nothing", () => {
  it("admins and owners are mailed once, and not once it is over", async () => {
    const teamId = await connectSlack();
    const system = systemActor(org().id, "test");
    for (const _time of [1, 2]) await noteAlertsProblem(system, { teamId, problem: "channel_gone" });
    await deliver();
    expect(mailed()).toEqual([org().admin.email, org().owner.email].sort());
    expect(mails()[0]?.raw).toContain("Slack takes no alerts");
    await noteAlertsProblem(system, { teamId, problem: "not_in_channel" });
    await noteAlertsProblem(system, { teamId, problem: null });
    await deliver();
    expect(mails()).toHaveLength(2);
  });
});

describe("the personal setting", () => {
  it("is on by default, is one's own, and its change is in the log once", async () => {
    expect(await getMails(org().approver.actor, {})).toEqual({ approvalMails: true, hasMailServer: true });
    await changeMails(org().approver.actor, { approvalMails: false });
    await changeMails(org().approver.actor, { approvalMails: false });
    expect(await getMails(org().approver.actor, {})).toMatchObject({ approvalMails: false });
    expect(await getMails(org().admin.actor, {})).toMatchObject({ approvalMails: true });
    const logged = await rows("SELECT 1 FROM audit_event WHERE type = 'member.changed'");
    expect(logged).toHaveLength(1);
  });
});

it("without a mail server nothing is put down", async () => {
  overrideEnv({ NOTIFY_SMTP_URL: undefined, NOTIFY_FROM: undefined });
  await tell(await ask(), "approval_requested");
  expect(await statuses()).toEqual([]);
});
