import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, startApp } from "@/test/support/app";

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app?.stop();
});

type Answer = { status: number; body: Record<string, unknown> };

async function call(method: string, path: string, credential: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${app.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

const mail = (to: string, more: object = {}) => ({
  action: "email.send",
  connection: app.demo.connections.mail,
  arguments: { to: [to], subject: "Your invoice", text: "Hello, here it is." },
  note: "It was asked for.",
  ...more,
});

type Approval = { id: string; requestId: string; digest: string; arguments: unknown };

async function approvalOf(requestId: string): Promise<Approval> {
  const { body } = await call("GET", "/approvals?status=pending", app.demo.approver.token);
  const found = (body.items as Approval[]).find((approval) => approval.requestId === requestId);
  if (!found) throw new Error("the approval is in the list");
  return found;
}

const decide = (approval: Approval, decision: string, token: string, digest = approval.digest) =>
  call("POST", `/approvals/${approval.id}/decision`, token, { decision, digest });

describe("the main job over HTTP", () => {
  it("lets the agent read the trusted echo at once and masks the connection's credential", async () => {
    const { status, body } = await call("POST", "/tool-requests", app.demo.agent.key, {
      action: "http.request",
      connection: app.demo.connections.web,
      arguments: { method: "GET", url: app.demo.echoUrl },
    });
    expect([status, body.status]).toEqual([200, "succeeded"]);
    const echoed = JSON.parse((body.result as { body: string }).body) as {
      headers: Record<string, string>;
      method: string;
    };
    expect(echoed.method).toBe("GET");
    expect(JSON.stringify(echoed.headers)).toMatch(/\[(secret|redacted|masked)|\*\*\*|•/);
  });

  it("sends a mail after one person's approval and the undo window, and records who did what", {
    timeout: 150_000,
  }, async () => {
    const asked = await call("POST", "/tool-requests", app.demo.agent.key, mail("dana@customer.example"));
    expect([asked.status, asked.body.status]).toEqual([202, "pending"]);
    const id = String(asked.body.id);
    const approval = await approvalOf(id);
    expect(approval.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(approval.arguments).toMatchObject({ to: ["dana@customer.example"] });

    expect((await decide(approval, "approve", app.demo.agent.key)).status).toBe(403);
    expect((await decide(approval, "approve", app.demo.agentOwner.token)).status).toBe(403);
    expect((await decide(approval, "approve", app.demo.member.token)).status).toBe(403);
    expect((await decide(approval, "approve", app.demo.other.owner.token)).status).toBe(404);
    expect((await decide(approval, "approve", app.demo.approver.token, "0".repeat(64))).status).toBe(409);
    const waiting = call("GET", `/tool-requests/${id}?wait=30&after=1`, app.demo.agent.key);
    expect((await decide(approval, "approve", app.demo.approver.token)).body).toMatchObject({
      status: "approved",
      remaining: 0,
    });
    expect((await decide(approval, "approve", app.demo.approver.token)).status).toBe(409);
    expect((await waiting).body).toMatchObject({ status: "scheduled" });

    const sent = await untilFinal(id);
    expect(sent).toMatchObject({ status: "succeeded" });
    const mailbox = (await (await fetch(app.demo.mailboxUrl)).json()) as { items: { to: unknown; subject: string }[] };
    expect(mailbox.items.filter((item) => item.subject === "Your invoice")).toHaveLength(1);

    const audit = await call("GET", `/audit?request=${id}`, app.demo.auditor.token);
    const text = JSON.stringify(audit.body);
    expect(audit.status).toBe(200);
    for (const type of [
      "request.submitted",
      "approval.requested",
      "approval.approved",
      "request.started",
      "request.succeeded",
    ]) {
      expect(text).toContain(type);
    }
    const verified = await call("GET", "/audit/verify", app.demo.owner.token);
    expect(verified.body).toMatchObject({ intact: true });
  });

  it("sends nothing that was cancelled in its undo window or frozen before it ended", { timeout: 60_000 }, async () => {
    const first = await approved("cancel@customer.example");
    expect((await call("POST", `/tool-requests/${first}/cancel`, app.demo.agent.key)).body).toMatchObject({
      status: "cancelled",
    });

    const second = await approved("frozen@customer.example");
    const frozen = await call("POST", "/controls/kill-switch", app.demo.admin.token, {
      level: "freeze",
      reason: "a test",
    });
    expect(frozen.status).toBeLessThan(300);
    expect((await call("GET", `/tool-requests/${second}`, app.demo.agent.key)).body).toMatchObject({
      status: "pending",
    });
    const again = await approvalOf(second);
    expect((await decide(again, "approve", app.demo.approver.token)).status).toBe(409);
    const { body: controls } = await call("GET", "/controls", app.demo.owner.token);
    const release = { reason: "the test is over", version: controls.version };
    expect((await call("POST", "/controls/release", app.demo.admin.token, release)).status).toBe(403);
    expect((await call("POST", "/controls/release", app.demo.owner.token, release)).status).toBeLessThan(300);
    expect((await decide(await approvalOf(second), "reject", app.demo.approver.token)).body).toMatchObject({
      status: "rejected",
    });
  });

  it("shows another organization nothing", async () => {
    const { body } = await call("POST", "/tool-requests", app.demo.agent.key, mail("third@customer.example"));
    expect((await call("GET", `/tool-requests/${String(body.id)}`, app.demo.other.agent.key)).status).toBe(404);
    const listed = await call("GET", "/approvals?status=pending", app.demo.other.owner.token);
    expect(listed.body.items).toEqual([]);
  });

  it("leaves no secret in what it printed", () => {
    const output = app.output();
    expect(output).not.toContain("at Object.");
    expect(output).not.toMatch(/"level":"error"/);
  });
});

async function approved(to: string): Promise<string> {
  const { body } = await call("POST", "/tool-requests", app.demo.agent.key, mail(to));
  const id = String(body.id);
  expect((await decide(await approvalOf(id), "approve", app.demo.approver.token)).body).toMatchObject({
    status: "approved",
  });
  return id;
}

async function untilFinal(id: string): Promise<Answer["body"]> {
  const deadline = Date.now() + 120_000;
  let version = 0;
  while (Date.now() < deadline) {
    const { status, body } = await call("GET", `/tool-requests/${id}?wait=30&after=${version}`, app.demo.agent.key);
    if (status === 429) await sleep(1_000);
    if (["succeeded", "failed", "outcome_unknown"].includes(String(body.status))) return body;
    version = Number(body.version);
  }
  throw new Error("the request did not end in time");
}
