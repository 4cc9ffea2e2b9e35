import { describe, expect, it } from "vitest";
import type { NoticeMail } from "@/server/connectors/smtp/notify";
import { env } from "@/server/env";
import { escalateApproval } from "@/server/services/approvals/escalate";
import { remindApproval } from "@/server/services/approvals/remind";
import { changeMails } from "@/server/services/identity/self/mails";
import { deliverMails, sweepMails } from "@/server/services/notices/deliver";
import { leaseMail } from "@/server/services/notices/outbox";
import { tellPeople } from "@/server/services/people/tell-people";
import { cancelToolRequest } from "@/server/services/requests/cancel";
import { systemActor } from "@/server/services/system-actor";
import { FROM, mailFixture } from "@/test/db/notices/fixture";
import { testOrganization } from "@/test/support/organization";
import { closeMailServers } from "@/test/support/smtp";

const { org, mails, rows, startServer, post, dueAgain, deliver, sendAll, mailed, statuses, ask, tell } = mailFixture();

describe("an approval where Slack reaches nobody", () => {
  it("is mailed to those who could decide at its stage and to nobody else, with a link and nothing of what is asked", async () => {
    const asked = await ask({ target: "a-very-secret-target", text: "click https://evil.example now" });
    await tell(asked, "approval_requested");
    await sendAll();
    expect(mailed()).toEqual([org().approver.email]);
    const [mail] = mails();
    expect(mail?.from).toBe(FROM);
    expect(mail?.raw).toContain(`${env().PUBLIC_URL}/approvals/${asked.approvalId}`);
    expect(mail?.raw).toContain("Auto-Submitted: auto-generated");
    const raw = (mail?.raw ?? "").replaceAll("=\r\n", "");
    for (const hidden of ["secret-target", "evil.example", "test.final", org().agent.actor.name])
      expect(raw).not.toContain(hidden);
  });

  it("is mailed once however often and by how many it is told and sent", async () => {
    const asked = await ask();
    await Promise.all(Array.from({ length: 8 }, () => tell(asked, "approval_requested")));
    await dueAgain();
    await Promise.all(Array.from({ length: 8 }, deliver));
    await Promise.all(Array.from({ length: 8 }, () => sweepMails(post)));
    expect(mails()).toHaveLength(1);
    expect(await statuses()).toEqual(["sent"]);
  });

  it("is nobody else's while one is at it", async () => {
    await tell(await ask(), "approval_requested");
    await dueAgain();
    await deliverMails(org().id, async (mail) => {
      await deliver();
      return post(mail);
    });
    expect(mails()).toHaveLength(1);
  });

  it("goes by the same name again after a crash between the server's yes and the record", async () => {
    await tell(await ask(), "approval_requested");
    await dueAgain();
    const crash = async (mail: NoticeMail) => {
      await post(mail);
      throw new Error("the process ends here");
    };
    await expect(deliverMails(org().id, crash)).rejects.toThrow("ends here");
    await deliver();
    expect(mails()).toHaveLength(1);
    await sendAll();
    const ids = mails().map(({ raw }) => /^Message-ID: (.+)$/im.exec(raw)?.[1]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("waits while the server is down or refuses the login, and is mailed once when it is back", async () => {
    const asked = await ask();
    await closeMailServers();
    await tell(asked, "approval_requested");
    expect(await statuses()).toEqual(["due"]);
    const [row] = await rows<{ later: boolean }>("SELECT lease_until > clock_timestamp() AS later FROM mail_notice");
    expect(row?.later).toBe(true);
    await startServer({ onAuth: (_auth, _session, callback) => callback(new Error("no")) });
    await dueAgain();
    expect(await deliver()).toBe(false);
    expect(await statuses()).toEqual(["due"]);
    await startServer();
    await dueAgain();
    expect(await deliver()).toBe(true);
    expect(mails()).toHaveLength(1);
  });

  it("is given up for a recipient that the server refuses for good, and holds up nobody else", async () => {
    const refused = org().admin.email;
    await startServer({
      onRcptTo: ({ address }, _session, callback) =>
        callback(address === refused ? Object.assign(new Error("gone"), { responseCode: 550 }) : null),
    });
    await rows("UPDATE approval SET required_role = 'admin'");
    const asked = await ask();
    await rows("UPDATE approval SET required_role = 'admin'");
    await tell(asked, "approval_requested");
    const later = await ask();
    await tell(later, "approval_requested");
    await sendAll();
    expect((await statuses()).sort()).toEqual(["dropped", "sent"]);
    expect(mailed()).toEqual([org().approver.email]);
  });

  it("is not mailed once it is over, taken away or turned off", async () => {
    const over = await ask();
    await tell(over, "approval_requested");
    await cancelToolRequest(org().agent.actor, { id: over.requestId });
    const away = await ask();
    await tell(away, "approval_requested");
    await rows("UPDATE member SET role = 'auditor' WHERE id = $1", [org().approver.id]);
    await sendAll();
    await rows("UPDATE member SET role = 'approver' WHERE id = $1", [org().approver.id]);
    await changeMails(org().approver.actor, { approvalMails: false });
    await tell(await ask(), "approval_requested");
    await sendAll();
    expect(mails()).toEqual([]);
    expect(new Set(await statuses())).toEqual(new Set(["dropped"]));
  });

  it("that nobody can approve is mailed at once to owners and those who asked, once, and not once somebody can", async () => {
    await rows("UPDATE member SET role = 'auditor' WHERE role = 'approver' OR id = $1", [org().admin.id]);
    await rows("UPDATE agent SET owner_id = $1", [org().owner.id]);
    const stuck = await ask();
    for (const kind of ["approval_requested", "approval_reminder", "approval_requested"] as const)
      await tell(stuck, kind);
    await sendAll();
    const told = [...new Set([org().owner.email, org().agentOwner.email])].sort();
    expect(mailed()).toEqual(told);
    expect(mails()[0]?.raw).toContain("Nobody can approve");
    await rows("UPDATE agent SET owner_id = $1", [org().agentOwner.id]);
    await tell(await ask(), "approval_requested");
    await sendAll();
    expect(mails()).toHaveLength(told.length + 1);
  });

  it("is mailed to nobody of another organization", async () => {
    const other = await testOrganization("Other");
    await tell(await ask(), "approval_requested");
    await dueAgain();
    await deliverMails(other.id, post);
    expect(mails()).toEqual([]);
    expect(await rows("SELECT 1 FROM mail_notice", [], other)).toEqual([]);
    expect(await leaseMail(systemActor(other.id, "test"), {})).toBeNull();
    await deliver();
    const theirs = await rows<{ email: string }>("SELECT email FROM member", [], other);
    for (const { email } of theirs) expect(mailed()).not.toContain(email);
  });

  it("is mailed again as a reminder, and to the next role when it goes on", async () => {
    const asked = await ask();
    await tell(asked, "approval_requested");
    await remindApproval(systemActor(org().id, "test"), { approvalId: asked.approvalId });
    await rows("UPDATE approval SET expires_at = expires_at - interval '16 minutes'");
    await sendAll();
    const approver = org().approver.email;
    expect(mailed()).toEqual([approver, approver]);
    expect(await escalateApproval(systemActor(org().id, "test"), { approvalId: asked.approvalId })).toBe(true);
    await sendAll();
    expect(mailed()).toEqual([org().admin.email, approver, approver].sort());
  });

  it("is mailed when it is over to those who asked, and when nobody knows how to those who manage as well", async () => {
    const asked = await ask();
    await cancelToolRequest(org().agent.actor, { id: asked.requestId });
    await tell(asked, "approval_ended");
    await sendAll();
    expect(mailed()).toEqual([org().agentOwner.email]);
    await rows("UPDATE member SET disabled_at = clock_timestamp() WHERE id = $1", [org().agentOwner.id]);
    await tellPeople({ kind: "outcome_unknown", organizationId: org().id, requestId: asked.requestId });
    await sendAll();
    expect(mailed()).toEqual([org().agentOwner.email, org().admin.email, org().owner.email].sort());
  });
});
