import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEMO_ALERTS_CHANNEL } from "@/server/cli/demo/slack-calls";
import { stopListening } from "@/server/db/listen";
import { withOrgSql } from "@/server/db/with-org";
import { pauseAgent } from "@/server/services/agents/pause";
import { resumeAgent } from "@/server/services/agents/resume";
import { changeApproverSafety } from "@/server/services/approver-safety/change";
import { getApproverSafety } from "@/server/services/approver-safety/get";
import { auditSql } from "@/server/services/audit/record";
import { setReadOnly } from "@/server/services/controls/set-read-only";
import { switchAction } from "@/server/services/controls/switch-action";
import { changeOrganization } from "@/server/services/organizations/change";
import { getOrganization } from "@/server/services/organizations/get";
import { createRule } from "@/server/services/rules/create";
import { chooseAlertsChannel } from "@/server/services/slack/alerts-channel";
import { alertsDue } from "@/server/services/slack/alerts-due";
import { listSlackWorkspaces } from "@/server/services/slack/list-workspaces";
import { noteSlackProblem } from "@/server/services/slack/watch-installation";
import { systemActor } from "@/server/services/system-actor";
import { deliverAlerts } from "@/slack/deliver-alerts";
import { startAlertKeeper } from "@/slack/keep-alerts";
import { slackFixture } from "@/test/db/slack/fixture";

const { org, slack, post, rows } = slackFixture();
const TEAM = "T_TEST";
const admin = () => org().admin.actor;
const choose = (channelId: string | null) => chooseAlertsChannel(admin(), { teamId: TEAM, version: 1, channelId });
const told = () => slack().shown(DEMO_ALERTS_CHANNEL);
const words = () => told().map(({ text }) => text);
const readOnly = (enabled: boolean) => setReadOnly(admin(), { enabled, reason: "A secret reason." });
const deliver = () => deliverAlerts(org().id);
/** Until somebody may take again what could not be told. */
const hurry = () => rows("UPDATE slack_alert SET lease_until = NULL");
const view = async () => (await listSlackWorkspaces(admin(), {})).items.find(({ teamId }) => teamId === TEAM)?.alerts;

beforeAll(async () => {
  await choose(DEMO_ALERTS_CHANNEL);
});
beforeEach(async () => {
  await rows("UPDATE slack_alert SET status = 'dropped' WHERE status = 'due'");
});

describe("the alerts channel", () => {
  it("is told of controls, agents, rules, delivery and a log that does not verify, without content", async () => {
    const { id } = org().agent;
    await readOnly(true);
    await readOnly(false);
    await switchAction(admin(), { action: "test.final", enabled: false, reason: "A secret reason." });
    await switchAction(admin(), { action: "test.final", enabled: true, reason: "A secret reason." });
    await pauseAgent(admin(), { id, reason: "A secret reason." });
    await resumeAgent(admin(), { id, reason: "A secret reason." });
    const rule = { name: "<!channel> big", verdict: "approval" as const, condition: "action == 'test.write'" };
    await createRule(admin(), { ...rule, reason: "A secret reason." });
    const system = systemActor(org().id, "test");
    await noteSlackProblem(system, { teamId: TEAM, problem: "channel_gone" });
    await noteSlackProblem(system, { teamId: TEAM, problem: null });
    for (const intact of [true, false])
      await withOrgSql(org().id, (q) =>
        auditSql(q, { type: "audit.verified", actor: system, at: new Date(), fields: { intact, entries: 3 } }),
      );
    await deliver();
    expect(words()).toEqual([
      "Read-only is on: effects are kept as proposals.",
      "Read-only is off.",
      "An action is switched off.",
      "An action is switched on again.",
      "An agent was paused.",
      "An agent goes on.",
      "A rule was added.",
      expect.stringContaining("Slack takes no cards."),
      "Slack takes cards again. They come by themselves.",
      "The audit log does not verify: a fault was found.",
    ]);
    const all = JSON.stringify(told());
    expect(all).toContain("Some admin");
    expect(all).not.toContain("A secret reason");
    for (const { blocks } of told() as unknown as { blocks: { type: string }[] }[])
      for (const block of blocks)
        if (block.type !== "rich_text") expect(JSON.stringify(block)).not.toContain("!channel");
  });

  it("is told each once by twenty at once", async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      await readOnly(true);
      await readOnly(false);
    }
    await Promise.all(Array.from({ length: 20 }, deliver));
    expect(told()).toHaveLength(10);
  });

  it("is told once where whoever told it crashed before saying so", async () => {
    await readOnly(true);
    slack().next.set("chat.postMessage", "lost");
    await deliver();
    expect(told()).toHaveLength(1);
    expect((await view())?.due).toBe(1);
    await hurry();
    await deliver();
    expect(told()).toHaveLength(1);
    expect((await view())?.due).toBe(0);
    await readOnly(false);
  });

  it("is told after Slack asked for patience", async () => {
    await readOnly(true);
    await readOnly(false);
    slack().next.set("chat.postMessage", "rate_limited");
    await expect(deliver()).rejects.toMatchObject({ name: "CardLater", afterS: 1 });
    await hurry();
    await deliver();
    expect(told()).toHaveLength(2);
  });

  it("that takes nothing is noted for admins and tried again, and cards go on", async () => {
    await readOnly(true);
    await readOnly(false);
    slack().refuses = "is_archived";
    await deliver();
    slack().refuses = null;
    expect(await view()).toMatchObject({ problem: { code: "channel_gone" }, due: 2 });
    expect(await alertsDue()).not.toContain(org().id);
    await post();
    expect(slack().shown()).toHaveLength(1);
    await hurry();
    expect(await alertsDue()).toContain(org().id);
    await deliver();
    expect(told()).toHaveLength(2);
    expect(await view()).toMatchObject({ problem: null, due: 0 });
  });

  it("waits without standing in the way while Slack takes no token of ours", async () => {
    await readOnly(true);
    await rows("UPDATE slack_workspace SET problem = 'token_revoked', problem_at = clock_timestamp()");
    await deliver();
    expect(told()).toEqual([]);
    expect(await alertsDue()).not.toContain(org().id);
    await rows("UPDATE slack_workspace SET problem = NULL, problem_at = NULL");
    await hurry();
    await deliver();
    expect(told()).toHaveLength(1);
    await readOnly(false);
  });

  it("is told of what weakens approvals, and of no other setting", async () => {
    const { version } = await getOrganization(admin(), {});
    await changeOrganization(admin(), { version, name: "Acme & Co" });
    await changeOrganization(admin(), { version: version + 1, slackMaxRisk: "low" });
    const own = await getApproverSafety(org().owner.actor, {});
    await changeApproverSafety(org().owner.actor, { version: own.version, ownerDecidesOwn: true });
    await deliver();
    expect(words()).toEqual(["How much Slack may approve was changed.", "How approvers decide was changed."]);
    await changeOrganization(admin(), { version: version + 2, slackMaxRisk: "medium" });
    await changeApproverSafety(org().owner.actor, { version: own.version + 1, ownerDecidesOwn: false });
  });

  it("is told who got or lost a right to approve", async () => {
    const given = { type: "approval_right.given" as const, actor: admin(), at: new Date() };
    const lists = { departments: [], actions: [], connections: [] };
    const member = org().member.id;
    await withOrgSql(org().id, (q) =>
      auditSql(q, [
        { ...given, fields: { right: "rgt_1", member, maxRisk: "low", ...lists } },
        { ...given, type: "approval_right.withdrawn", fields: { right: "rgt_1", member } },
      ]),
    );
    await deliver();
    expect(words()).toEqual(["Somebody was given a right to approve.", "A right to approve was withdrawn."]);
  });

  it("is put down with what it tells of, or not at all", async () => {
    const before = (await view())?.due;
    await expect(
      withOrgSql(org().id, async (q) => {
        const fields = { control: "read_only", enabled: true, version: 99 };
        await auditSql(q, { type: "control.changed", actor: admin(), at: new Date(), fields });
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    expect((await view())?.due).toBe(before);
  });

  it("is chosen by admins alone, where the bot is; without one nothing is put down, and what was due is dropped", async () => {
    const choice = { teamId: TEAM, version: 1, channelId: DEMO_ALERTS_CHANNEL };
    await expect(chooseAlertsChannel(org().approver.actor, choice)).rejects.toMatchObject({ reason: "not_permitted" });
    await expect(choose("C_NOWHERE")).rejects.toMatchObject({ reason: "slack_refused" });
    await expect(chooseAlertsChannel(admin(), { ...choice, version: 9 })).rejects.toMatchObject({ code: "conflict" });
    await readOnly(true);
    await choose(null);
    await readOnly(false);
    await deliver();
    expect(told()).toEqual([]);
    expect(await view()).toMatchObject({ channelId: null, due: 0 });
    await choose(DEMO_ALERTS_CHANNEL);
  });
});

describe("a keeper", () => {
  let keepers: readonly { stop(): Promise<void> }[] = [];
  beforeAll(() => {
    keepers = [startAlertKeeper(), startAlertKeeper()];
  });
  afterAll(async () => {
    await Promise.all(keepers.map((keeper) => keeper.stop()));
    await stopListening();
  });

  it("tells as soon as it commits, once on two replicas", async () => {
    await readOnly(true);
    await expect.poll(words, { timeout: 5_000 }).toEqual(["Read-only is on: effects are kept as proposals."]);
    await readOnly(false);
    await expect.poll(() => words().length, { timeout: 5_000 }).toBe(2);
  });
});
