import { describe, expect, it } from "vitest";
import { getAgent } from "@/server/services/agents/get";
import { getControls } from "@/server/services/controls/get";
import { releaseKillSwitch } from "@/server/services/controls/release-kill-switch";
import { setReadOnly } from "@/server/services/controls/set-read-only";
import { slackFixture } from "@/test/db/slack/fixture";

describe.each(["http", "socket"] as const)("over %s:", (mode) => {
  const { org, slack, rows } = slackFixture(mode);

  const type = (userId: string, text: string) => slack().command(userId, text);
  const agent = () => getAgent(org().admin.actor, { id: org().agent.id });
  const submit = async (userId: string, reason: string) => {
    const submission = slack().submission(userId, reason);
    if (submission === null) throw new Error("no dialog is open");
    return slack().send(submission);
  };
  const refusals = async () =>
    (
      await rows<{ canonical: Buffer }>(
        "SELECT canonical FROM audit_event WHERE type = 'slack.command_refused' ORDER BY id",
      )
    )
      .map(({ canonical }) => JSON.parse(canonical.toString("utf8")))
      .map(({ fields, actor }) => ({ ...fields, actor: actor.kind }));

  describe("/countersign status", () => {
    it("says what is stopped and what waits, to whoever asked alone", async () => {
      const running = JSON.parse(await type("U_APPROVER", "status"));
      expect(running).toMatchObject({ response_type: "ephemeral", text: "Running" });
      await setReadOnly(org().admin.actor, { enabled: true, reason: "test" });
      expect(JSON.parse(await type("U_APPROVER", "STATUS")).text).toContain("Read-only");
      await setReadOnly(org().admin.actor, { enabled: false, reason: "test" });
    });

    it("counts no approvals for whoever may not read them", async () => {
      expect(await type("U_APPROVER", "status")).toContain("waits for a person");
      expect(await type("U_MEMBER", "status")).not.toContain("waits for a person");
    });
  });

  describe("/countersign pause and resume", () => {
    it("asks why, does it by the web app's command as that person, and keeps the reason", async () => {
      const { id, name } = await agent();
      expect(await type("U_ADMIN", `pause ${name}`)).toBe("");
      expect((await agent()).pausedAt).toBeNull();
      expect((await submit("U_ADMIN", "Odd refunds.")).status).toBe(200);
      expect(await agent()).toMatchObject({ pausedBy: org().admin.id, pauseNote: "Odd refunds." });
      expect(await type("U_APPROVER", "status")).toContain(name);
      expect(await type("U_OWNER", `resume ${id}`)).toBe("");
      await submit("U_OWNER", "They were right.");
      expect(await agent()).toMatchObject({ pausedAt: null, pauseNote: "They were right." });
      const [event] = await rows<{ canonical: Buffer }>(
        "SELECT canonical FROM audit_event WHERE type = 'agent.paused'",
      );
      expect(event?.canonical.toString("utf8")).toContain('"via":"slack"');
      expect(event?.canonical.toString("utf8")).not.toContain("Odd refunds");
    });

    it("says of an agent that is not there, or of which there is no name, that nothing was done", async () => {
      expect(await type("U_ADMIN", "pause Nobody")).toContain("There is no agent of exactly this name or id");
      expect(await type("U_ADMIN", "pause")).toContain("/countersign pause");
    });

    it("says in the dialog why it came to nothing", async () => {
      await type("U_ADMIN", `resume ${org().agent.id}`);
      const answer = await (await submit("U_ADMIN", "Why not.")).json();
      expect(answer).toEqual({ response_action: "errors", errors: { reason: "The agent is not paused." } });
    });

    it("reads the role again when the dialog is sent", async () => {
      await type("U_ADMIN", `pause ${org().agent.id}`);
      await rows("UPDATE member SET role = 'approver' WHERE id = $1", [org().admin.id]);
      const answer = await (await submit("U_ADMIN", "Too late.")).json();
      await rows("UPDATE member SET role = 'admin' WHERE id = $1", [org().admin.id]);
      expect(answer).toMatchObject({ response_action: "errors" });
      expect((await agent()).pausedAt).toBeNull();
    });

    it("takes no dialog that was changed into something else", async () => {
      for (const asked of [{ what: "lockdown" }, { what: "pause" }, { what: "freeze", agent: org().agent.id }, []]) {
        await type("U_ADMIN", `pause ${org().agent.id}`);
        const submission = slack().submission("U_ADMIN", "Because.") as { view: object };
        const view = { ...submission.view, private_metadata: JSON.stringify(asked) };
        const answer = await slack().send({ ...submission, view });
        expect(await answer.json()).toMatchObject({ response_action: "errors" });
      }
      expect((await agent()).pausedAt).toBeNull();
      expect((await getControls(org().admin.actor, {})).killSwitch).toBeNull();
    });
  });

  describe("/countersign freeze", () => {
    it("asks why, and freezes with that reason; the web app lifts it", async () => {
      expect(await type("U_ADMIN", "freeze")).toBe("");
      expect((await getControls(org().admin.actor, {})).killSwitch).toBeNull();
      await submit("U_ADMIN", "Stop everything.");
      const { version, killSwitch } = await getControls(org().owner.actor, {});
      expect(killSwitch).toMatchObject({ level: "freeze", by: org().admin.id, reason: "Stop everything." });
      expect(JSON.parse(await type("U_MEMBER", "status")).text).toContain("Frozen");
      await releaseKillSwitch(org().owner.actor, { version, reason: "test" });
    });
  });

  describe("who may not", () => {
    it.each(["freeze", "pause AGENT", "resume AGENT"])(
      "%s: roles without the right, strangers and guests",
      async (text) => {
        const typed = text.replace("AGENT", org().agent.id);
        const [word = ""] = text.split(" ");
        slack().set("U_OWNER", { is_restricted: true });
        const before = (await refusals()).length;
        for (const userId of ["U_APPROVER", "U_MEMBER", "U_STRANGER", "U_OWNER"]) {
          expect(await type(userId, typed)).not.toBe("");
          expect(slack().submission(userId, "x")).toBeNull();
        }
        slack().set("U_OWNER", {});
        expect((await refusals()).slice(before)).toEqual([
          { command: word, code: "not_permitted", actor: "member" },
          { command: word, code: "not_permitted", actor: "member" },
          { command: word, code: "slack_unlinked", actor: "anonymous" },
          { command: word, code: "slack_not_admitted", actor: "anonymous" },
        ]);
      },
    );

    it("is anybody while Slack does not say who they are", async () => {
      slack().next.set("users.info", "rate_limited");
      expect(await type("U_ADMIN", "freeze")).toContain("did not say who you are");
      expect(slack().submission("U_ADMIN", "x")).toBeNull();
    });
  });

  it("an agent's name is shown as it is, with nothing hidden", async () => {
    await rows("UPDATE agent SET name = $2 WHERE id = $1", [org().agent.id, "pay\u202Eroll <!channel>"]);
    await type("U_ADMIN", `pause ${org().agent.id}`);
    const opened = JSON.stringify(
      slack()
        .calls.filter(({ method }) => method === "views.open")
        .at(-1)?.params,
    );
    expect(opened).not.toContain("\u202E");
    expect(opened).toContain("RLO");
    expect(slack().submission("U_ADMIN", "x")).not.toBeNull();
  });
});
