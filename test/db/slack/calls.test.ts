import { describe, expect, it } from "vitest";
import { POST } from "@/app/api/slack/[...path]/route";
import { env, overrideEnv } from "@/server/env";
import { APPROVE } from "@/slack/card/card";
import { SLACK_BODY_LIMIT } from "@/slack/receiver";
import { slackFixture } from "@/test/db/slack/fixture";
import { testOrganization } from "@/test/support/organization";

const { slack, running, post, decisions, rows } = slackFixture();

const call = (body: string, headers: Record<string, string>) =>
  fetch(`${running().appUrl}/api/slack/events`, { method: "POST", body, headers });
const bodyOf = (ts: string, more: object = {}) =>
  `payload=${encodeURIComponent(JSON.stringify({ ...slack().press({ ts, actionId: APPROVE, userId: "U_APPROVER" }), ...more }))}`;
const nowS = () => Math.floor(Date.now() / 1_000);

describe("a call", () => {
  it("is refused with a forged signature, an old or a future time, and decides nothing", async () => {
    const { approvalId, ts } = await post();
    const body = bodyOf(ts);
    const good = slack().sign(body);
    const forged = { ...good, "x-slack-signature": `v0=${"0".repeat(64)}` };
    for (const headers of [forged, slack().sign(body, nowS() - 400), slack().sign(body, nowS() + 400)])
      expect((await call(body, headers)).status).toBe(401);
    expect((await call(`${body}x`, good)).status).toBe(401);
    expect((await call(body, { "content-type": "application/x-www-form-urlencoded" })).status).toBe(401);
    expect(await decisions(approvalId)).toEqual([]);
  });

  it("is taken once however often it is sent, at once or later", async () => {
    const { approvalId, ts } = await post();
    const body = bodyOf(ts);
    const headers = slack().sign(body);
    const before = slack().calls.filter(({ method }) => method === "users.info").length;
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(body, headers)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await call(body, headers)).status).toBe(200);
    expect(await decisions(approvalId)).toHaveLength(1);
    expect(slack().calls.filter(({ method }) => method === "users.info")).toHaveLength(before + 1);
  });

  it("is refused for a workspace that nobody connected", async () => {
    const { approvalId, ts } = await post();
    const body = bodyOf(ts, { team: { id: "T_OTHER" }, user: { id: "U_APPROVER", team_id: "T_OTHER" } });
    expect((await call(body, slack().sign(body))).status).toBe(403);
    expect(await decisions(approvalId)).toEqual([]);
  });

  it("is refused when it is too large, of another type, or not what Slack sends", async () => {
    const large = "x".repeat(SLACK_BODY_LIMIT + 1);
    expect((await call(large, slack().sign(large))).status).toBe(413);
    const json = "{}";
    expect((await call(json, { ...slack().sign(json), "content-type": "text/plain" })).status).toBe(400);
    const broken = "payload=%7B";
    expect((await call(broken, slack().sign(broken))).status).toBe(400);
    expect((await fetch(`${running().appUrl}/api/slack/events`)).status).toBe(405);
  });

  it("answers Slack's question for the address, signed alone", async () => {
    const body = JSON.stringify({ type: "url_verification", challenge: "abc" });
    const headers = { ...slack().sign(body), "content-type": "application/json; charset=utf-8" };
    expect(await (await call(body, headers)).json()).toEqual({ challenge: "abc" });
    expect((await call(body, { "content-type": "application/json" })).status).toBe(401);
  });

  it("is held to the same where a platform mounts the route file, and goes nowhere without a signing secret", async () => {
    const unsigned = () => new Request("http://localhost/api/slack/events", { method: "POST", body: "payload={}" });
    expect((await POST(unsigned())).status).toBe(401);
    const { SLACK_SIGNING_SECRET } = env();
    overrideEnv({ SLACK_SIGNING_SECRET: undefined });
    expect((await POST(unsigned())).status).toBe(404);
    overrideEnv({ SLACK_SIGNING_SECRET });
  });
});

it("nothing that is typed in Slack links anybody: the command says where people do", async () => {
  for (const text of ["", "help", "link AAAAAAAAAAAAAAAA"]) {
    const answer = await slack().command("U_STRANGER", text);
    expect(answer).toContain(`${env().PUBLIC_URL}/slack`);
  }
  expect(await rows("SELECT 1 FROM slack_link WHERE user_id = 'U_STRANGER'")).toEqual([]);
});

describe("a workspace", () => {
  it("stays with the organization that connected it, its token sealed", async () => {
    const other = await testOrganization("Other");
    await expect(running().connect(other)).rejects.toMatchObject({ details: { reason: "already_exists" } });
    const [row] = await rows<{ sealed_token: Buffer }>("SELECT sealed_token FROM slack_workspace");
    expect(row?.sealed_token.toString("latin1")).not.toContain("xoxb");
  });
});
