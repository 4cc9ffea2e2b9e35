import { describe, expect, it } from "vitest";
import { readyHandler } from "@/server/boot/readiness";
import { slackSocket } from "@/server/boot/readiness-checks";
import { DEMO_APP_TOKEN } from "@/server/cli/demo/slack-sockets";
import { checkSlack } from "@/server/services/slack/check";
import { listSlackWorkspaces } from "@/server/services/slack/list-workspaces";
import { getSlackManifest } from "@/server/services/slack/manifest";
import { socketState } from "@/server/services/slack/socket-state";
import { startApp } from "@/slack/app";
import { APPROVE } from "@/slack/card/card";
import { SocketReceiver } from "@/slack/socket";
import { slackFixture } from "@/test/db/slack/fixture";

const { org, slack, running, post, approve, decisions, statusOf, rows } = slackFixture("socket");

const sockets = () => slack().sockets;
const pressOn = (ts: string) => slack().press({ ts, actionId: APPROVE, userId: "U_APPROVER" }) ?? {};
const asked = (method: string) => slack().calls.filter((call) => call.method === method).length;
const isBack = () => expect.poll(() => socketState()?.isConnected, { timeout: 10_000 }).toBe(true);

describe("an envelope", () => {
  it("is taken once however often it is delivered, at once or later, and is answered each time", async () => {
    const { approvalId, ts } = await post();
    const before = asked("users.info");
    const deliver = () => sockets().deliver("interactive", pressOn(ts), `envelope-${approvalId}`);
    const answers = await Promise.all(Array.from({ length: 10 }, deliver));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await deliver()).status).toBe(200);
    expect(await decisions(approvalId)).toHaveLength(1);
    expect(asked("users.info")).toBe(before + 1);
  });

  it("is left unanswered for a workspace that nobody connected, and when it is not what Slack sends", async () => {
    const { approvalId, ts } = await post();
    const elsewhere = { team: { id: "T_OTHER" }, user: { id: "U_APPROVER", team_id: "T_OTHER" } };
    const [other, broken] = await Promise.all([
      sockets().deliver("interactive", { ...pressOn(ts), ...elsewhere }),
      sockets().deliver("interactive", { ...pressOn(ts), team: "T_TEST" }),
    ]);
    expect([other.ok, broken.ok]).toEqual([false, false]);
    expect(await decisions(approvalId)).toEqual([]);
    await approve(ts, "U_APPROVER");
    expect(await statusOf(approvalId)).toBe("approved");
  });

  it("tells of a removed app like a request does", async () => {
    await slack().tell({ type: "tokens_revoked", tokens: { bot: ["U_OTHER_BOT"] } });
    expect(await rows("SELECT 1 FROM slack_workspace WHERE problem IS NOT NULL")).toEqual([]);
  });
});

describe("the socket", () => {
  it("is opened anew when Slack asks for it, and when it is lost without a word", async () => {
    for (const end of [() => sockets().refresh(), () => sockets().drop()]) {
      const since = socketState()?.since;
      end();
      await expect
        .poll(() => socketState()?.since !== since && socketState()?.isConnected, { timeout: 10_000 })
        .toBe(true);
      const { approvalId, ts } = await post();
      expect(await approve(ts, "U_APPROVER")).toEqual({ status: 200, answer: "" });
      expect(await statusOf(approvalId)).toBe("approved");
    }
  });

  it("survives what nobody can read", async () => {
    for (const text of ["null", "{", "[]", '{"type":"events_api"}', '{"type":"interactive","envelope_id":1}'])
      sockets().say(text);
    const { approvalId, ts } = await post();
    await approve(ts, "U_APPROVER");
    expect(await statusOf(approvalId)).toBe("approved");
  });

  it("shows where it is missing, keeps nobody from the web app, and comes back by itself", async () => {
    sockets().refuses = "invalid_auth";
    sockets().drop();
    await expect.poll(() => socketState()?.fault, { timeout: 10_000 }).toContain("invalid_auth");
    const ready = await readyHandler([slackSocket])();
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ status: "ready", impaired: ["Slack: the socket is not connected"] });
    const listed = await listSlackWorkspaces(org().admin.actor, {});
    expect(listed).toMatchObject({ mode: "socket", socket: { isConnected: false } });
    const { items } = await checkSlack(org().admin.actor, { teamId: slack().team });
    expect(items.find(({ name }) => name === "socket")).toMatchObject({ isGood: false });
    expect(JSON.stringify([items, listed])).not.toContain(DEMO_APP_TOKEN);
    sockets().refuses = null;
    await isBack();
    const after = await checkSlack(org().admin.actor, { teamId: slack().team });
    expect(after.items.find(({ name }) => name === "socket")).toMatchObject({ isGood: true });
    expect(await (await readyHandler([slackSocket])()).json()).toEqual({ status: "ready" });
  });

  it("answers what it took before it closes", async () => {
    await isBack();
    const { approvalId, ts } = await post();
    const own = await startApp(new SocketReceiver(DEMO_APP_TOKEN));
    await own.start();
    const answer = slack().send(pressOn(ts));
    await expect.poll(() => asked("users.info")).toBeGreaterThan(0);
    await own.stop();
    expect((await answer).status).toBe(200);
    expect(await statusOf(approvalId)).toBe("approved");
    await expect.poll(() => sockets().count).toBe(1);
  });
});

describe("where Slack calls over a socket", () => {
  it("our address takes nothing, signed or not", async () => {
    const { approvalId, ts } = await post();
    const body = `payload=${encodeURIComponent(JSON.stringify(pressOn(ts)))}`;
    const call = { method: "POST", body, headers: slack().sign(body) };
    expect((await fetch(`${running().appUrl}/api/slack/events`, call)).status).toBe(404);
    expect(await decisions(approvalId)).toEqual([]);
  });

  it("the manifest switches it on and names no address to call", async () => {
    const manifest = await getSlackManifest(org().admin.actor, {});
    expect(manifest.settings.socket_mode_enabled).toBe(true);
    expect(JSON.stringify(manifest)).not.toContain("/api/slack/events");
  });
});
