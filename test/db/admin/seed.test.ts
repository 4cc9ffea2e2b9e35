import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DemoFile, type DemoServices, seedDemo } from "@/prisma/seed";
import { type RunningSlack, startSlack } from "@/server/cli/demo/slack";
import { closePrisma } from "@/server/db/client";
import { closePools } from "@/server/db/pools";
import { withOrgSql } from "@/server/db/with-org";
import type { AgentActor } from "@/server/domain/actor";
import { overrideEnv } from "@/server/env";
import { getApproval } from "@/server/services/approvals/get";
import { getControls } from "@/server/services/controls/get";
import { authenticate } from "@/server/services/identity/authenticate";
import { signIn } from "@/server/services/identity/sign-in";
import { listTools } from "@/server/services/requests/list-tools";
import { submitToolRequest } from "@/server/services/requests/submit";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { type Running, runEcho } from "@/test/support/echo";
import { registerTestTools } from "@/test/support/test-tools";

const ROLES = {
  owner: "owner",
  admin: "admin",
  approver: "approver",
  agentOwner: "approver",
  member: "member",
  auditor: "auditor",
} as const;
const PEOPLE = Object.keys(ROLES) as (keyof typeof ROLES)[];

let database: TestDatabase;
let echo: Running;
let services: DemoServices & { readonly url: string };
let demo: DemoFile;

const bearer = async (key: string) => {
  const actor = await authenticate({ authorization: `Bearer ${key}`, cookie: null });
  if (actor === null) throw new Error("nobody has this key");
  return actor;
};
const agent = async () => (await bearer(demo.agent.key)) as AgentActor;

const slacks: RunningSlack[] = [];
async function runDemoSlack(team: string): Promise<string> {
  const running = await startSlack({ port: 0, team, signingSecret: "unused", appUrl: "http://127.0.0.1:1" });
  slacks.push(running);
  overrideEnv({ SLACK_API_URL: `${running.origin}/api/` });
  return running.origin;
}

beforeAll(async () => {
  registerTestTools();
  database = await freshDatabase();
  echo = await runEcho();
  overrideEnv({ ALLOWED_PRIVATE_HOSTS: [echo.host] });
  services = {
    url: "http://localhost:3000",
    echoUrl: `${echo.origin}/echo`,
    mailboxUrl: "http://127.0.0.1:1/mailbox",
    slackEmulatorUrl: await runDemoSlack("T_FIRST"),
    smtp: { host: "localhost", port: 2525, user: "demo", password: "a password of the demo" },
  };
  demo = await seedDemo(services);
}, 120_000);
afterAll(async () => {
  await closePrisma();
  await closePools();
  await echo.close();
  await Promise.all(slacks.map((running) => running.close()));
  await database.drop();
});

describe("the demo", () => {
  it("has people of every role who sign in by password and call by token", async () => {
    for (const who of PEOPLE) {
      const { email, password, token } = demo[who];
      expect(await bearer(token)).toMatchObject({ kind: "member", role: ROLES[who], orgId: demo.organizationId });
      expect(await signIn({ email, password }, { address: "", userAgent: "" })).toMatchObject({
        org: demo.organizationId,
      });
    }
    expect((await bearer(demo.approver.token)).permissions.has("approval:decide")).toBe(true);
    expect((await bearer(demo.admin.token)).permissions.has("control:activate")).toBe(true);
  });

  it("has an agent whose key its owner issued, and which may call both tools", async () => {
    const actor = await agent();
    const owner = await bearer(demo.agentOwner.token);
    expect(actor).toMatchObject({ kind: "agent", agentId: demo.agent.id });
    expect(owner).toMatchObject({ memberId: actor.ownerId });
    expect(actor.issuedBy).toBe(actor.ownerId);
    const tools = JSON.stringify(await listTools(actor, {}));
    expect(tools).toContain("http.request");
    expect(tools).toContain("email.send");
  });

  it("lets the agent read the echo service without asking, and masks the connection's credential", async () => {
    const answer = await submitToolRequest(await agent(), {
      action: "http.request",
      connection: demo.connections.web,
      arguments: { method: "GET", url: `${demo.echoUrl}?q=1` },
    });
    expect(answer.status).toBe("succeeded");
    const shown = JSON.stringify(answer);
    expect(shown).toContain("authorization");
    expect(shown).not.toMatch(/[0-9A-Za-z]{43}/);
  });

  it("lets the agent change nothing over the web", async () => {
    const call = { method: "POST", url: demo.echoUrl, body: "x" };
    await expect(
      submitToolRequest(await agent(), { action: "http.request", connection: demo.connections.web, arguments: call }),
    ).rejects.toMatchObject({ code: "refused", details: { reason: "grant_read_only" } });
  });

  it("asks a person for a mail to anybody under .example, and refuses every other recipient", async () => {
    const mail = async (to: string) =>
      submitToolRequest(await agent(), {
        action: "email.send",
        connection: demo.connections.mail,
        arguments: { to: [to], subject: "Your order", text: "It left our warehouse today." },
      });
    const answer = await mail("ada@customer.example");
    expect(answer.status).toBe("pending");
    const approver = await bearer(demo.approver.token);
    const approval = await getApproval(approver, { id: answer.approval?.id ?? "" });
    expect(approval).toMatchObject({ requestId: answer.id, action: "email.send" });
    await expect(mail("ada@customer.com")).rejects.toMatchObject({ details: { reason: "argument_not_allowed" } });
  });

  it("tells alerts in its own Slack, from the first change of a control on", async () => {
    const { orgId } = await agent();
    const found = await withOrgSql(orgId, (q) =>
      q.query<{ alerts: string | null }>("SELECT alerts_channel_id AS alerts FROM slack_workspace"),
    );
    expect(found.rows).toEqual([{ alerts: "C_ALERTS" }]);
  });

  it("has its people linked in its own Slack, and its stranger to nobody", async () => {
    const links = await withOrgSql(demo.organizationId, (q) =>
      q.query<{ user_id: string; role: string }>(
        "SELECT l.user_id, m.role FROM slack_link l JOIN member m ON m.id = l.member_id ORDER BY l.user_id",
      ),
    );
    expect(links.rows.map(({ user_id, role }) => `${user_id} ${role}`)).toEqual([
      "U_ADMIN admin",
      "U_APPROVER approver",
      "U_MEMBER member",
      "U_OWNER owner",
    ]);
  });

  it("has a second organization that sees nothing of the first", async () => {
    const { other } = demo;
    expect(await bearer(other.owner.token)).toMatchObject({ role: "owner", orgId: other.organizationId });
    expect(await bearer(other.agent.key)).toMatchObject({ kind: "agent", agentId: other.agent.id });
    const call = { method: "GET", url: demo.echoUrl };
    await expect(
      submitToolRequest((await bearer(other.agent.key)) as AgentActor, {
        action: "http.request",
        connection: demo.connections.web,
        arguments: call,
      }),
    ).rejects.toMatchObject({ details: { reason: "no_grant" } });
    expect(await getControls(await bearer(other.owner.token), {})).toMatchObject({ version: 1 });
  });

  it("can be made again beside what an interrupted start left, under addresses that nobody has", async () => {
    const slackEmulatorUrl = await runDemoSlack("T_SECOND");
    const again = await seedDemo({ ...services, slackEmulatorUrl });
    for (const who of PEOPLE) expect(again[who].email).not.toBe(demo[who].email);
    const { email, password } = again.owner;
    expect(await signIn({ email, password }, { address: "", userAgent: "" })).toMatchObject({
      org: again.organizationId,
    });
  });
});
