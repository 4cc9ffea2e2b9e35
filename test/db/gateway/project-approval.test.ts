import { describe, expect, it } from "vitest";
import { findExpired, findReminding } from "@/server/db/system";
import { withOrgSql } from "@/server/db/with-org";
import { decideApproval } from "@/server/services/approvals/decide";
import { expireApproval } from "@/server/services/approvals/expire";
import { getApproval } from "@/server/services/approvals/get";
import { remindApproval } from "@/server/services/approvals/remind";
import { approvalTiming } from "@/server/services/approvals/timing";
import { activateKillSwitch } from "@/server/services/controls/activate-kill-switch";
import { releaseKillSwitch } from "@/server/services/controls/release-kill-switch";
import { describeToolRequest } from "@/server/services/requests/detail";
import { returnToQueue } from "@/server/services/requests/return-to-queue";
import { sweepExpired, sweepReminding } from "@/server/services/requests/sweep";
import { createRule } from "@/server/services/rules/create";
import { systemActor } from "@/server/services/system-actor";
import { recorded } from "@/test/db/admin/fixture";
import { testPerson } from "@/test/support/organization";
import { reasonOf } from "./fixture";
import { longWaiting } from "./long-waiting";

const { org, submit, approve, execute, performed, state, sql, rule, never, idOf, age, waiting } = longWaiting();

const system = () => systemActor(org().id, "test");
const remind = (approvalId: string) => remindApproval(system(), { approvalId });
const kind = async (approvalId: string) => (await approvalTiming(system(), { approvalId })).kind;

/** As if the request belonged to a task of this kind, and were asked again. */
async function askedIn(id: string, taskKind: "project" | "interactive"): Promise<string> {
  const answer = await submit("test.final");
  await approve(answer);
  await sql("INSERT INTO task (id, org_id, agent_id, kind) VALUES ($3, app.org_id(), $1, $2)", [
    org().agent.id,
    taskKind,
    id,
  ]);
  await sql("UPDATE tool_request SET task_id = $2 WHERE id = $1", [answer.id, id]);
  const back = { requestId: answer.id, why: "stricter", actor: system(), at: new Date() } as const;
  const [returned] = await withOrgSql(org().id, (q) => returnToQueue(q, [back]));
  return returned?.approvalId ?? "";
}

describe("what does not expire", () => {
  it("is what a rule says so of: the agent, people and the log are told, and no sweep ends it", async () => {
    const { answer, id } = await waiting();
    expect(answer.approval?.expiresAt).toBeNull();
    await age(id, "40 days");
    expect((await state(answer.id)).approval?.expiresAt).toBeNull();
    expect((await getApproval(org().approver.actor, { id })).expiresAt).toBeNull();
    expect((await describeToolRequest(org().approver.actor, { id: answer.id })).approvals[0]?.expiresAt).toBeNull();
    expect((await recorded(org().id, "approval.requested"))[0]?.document.fields.expiresAt).toBe("never");
    expect(await expireApproval(system(), { approvalId: id })).toBe(false);
    await sweepExpired();
    expect((await findExpired()).map(({ approvalId }) => approvalId)).not.toContain(id);
    expect(await approve(answer)).toMatchObject({ status: "approved" });
    await execute(answer.id);
    expect(performed(answer.id)).toBe(1);
  });

  it("is what a task of a project asks, where no rule says when", async () => {
    const project = await askedIn("tsk_1", "project");
    expect((await getApproval(org().admin.actor, { id: project })).expiresAt).toBeNull();
  });

  it("is not what an interactive task asks, or what a rule gives a time", async () => {
    const interactive = await askedIn("tsk_2", "interactive");
    expect((await getApproval(org().admin.actor, { id: interactive })).expiresAt).toBeInstanceOf(Date);
    await rule("an hour", { expiresMinutes: 60 });
    const timedInProject = await askedIn("tsk_3", "project");
    expect((await getApproval(org().admin.actor, { id: timedInProject })).expiresAt).toBeInstanceOf(Date);
    await never();
    const timed = idOf(await submit("test.write"));
    const { expiresAt, createdAt } = await getApproval(org().admin.actor, { id: timed });
    expect((expiresAt?.getTime() ?? 0) - createdAt.getTime()).toBeLessThanOrEqual(3_601_000);
    expect(expiresAt).toBeInstanceOf(Date);
  });

  it("has both of its columns empty or neither", async () => {
    const { id } = await waiting();
    await expect(sql("UPDATE approval SET expires_at = now() WHERE id = $1", [id])).rejects.toThrow(
      "approval_lifetime_check",
    );
  });

  it("still does not expire once a freeze that held it is lifted", async () => {
    await never();
    const answer = await submit("test.undoable");
    await approve(answer);
    const { version } = await activateKillSwitch(org().owner.actor, { level: "freeze", reason: "a test" });
    const back = await state(answer.id);
    expect(await getApproval(org().admin.actor, { id: idOf(back) })).toMatchObject({ isHeld: true, expiresAt: null });
    await releaseKillSwitch(org().owner.actor, { version, reason: "over" });
    expect(await getApproval(org().admin.actor, { id: idOf(back) })).toMatchObject({ isHeld: false, expiresAt: null });
  });
});

describe("reminders of what does not expire", () => {
  it("come every hour, each once however many ask, and stop once it is decided", async () => {
    const { answer, id } = await waiting();
    await sql("UPDATE approval SET escalated_to = 'owner', escalated_at = clock_timestamp()");
    await age(id, "59 minutes");
    expect(await kind(id)).toBe("wait");
    expect(await remind(id)).toBe(false);
    await age(id, "2 minutes");
    expect(await kind(id)).toBe("remind");
    const first = await Promise.all(Array.from({ length: 20 }, () => remind(id)));
    expect(first.filter(Boolean)).toHaveLength(1);
    expect(await kind(id)).toBe("wait");
    await age(id, "61 minutes");
    expect((await findReminding()).map(({ approvalId }) => approvalId)).toContain(id);
    await sweepReminding();
    expect(await recorded(org().id, "approval.reminded")).toHaveLength(2);
    await age(id, "61 minutes");
    await approve(answer);
    expect(await remind(id)).toBe(false);
    expect((await findReminding()).map(({ approvalId }) => approvalId)).not.toContain(id);
  });

  it("do not come while a stop holds it", async () => {
    const { id } = await waiting();
    await age(id, "2 hours");
    await sql("UPDATE approval SET is_held = true");
    expect(await remind(id)).toBe(false);
    expect((await findReminding()).map(({ approvalId }) => approvalId)).not.toContain(id);
  });

  it("come once for what expires, as before", async () => {
    const answer = await submit("test.final");
    expect(await remind(idOf(answer))).toBe(true);
    await age(idOf(answer), "2 hours");
    expect(await remind(idOf(answer))).toBe(false);
  });
});

describe("a decision of what waited for days", () => {
  it("is judged by the rules of now: what is refused is refused with that reason", async () => {
    const { answer, id } = await waiting();
    await age(id, "3 days");
    await createRule(org().admin.actor, { name: "none", verdict: "deny", condition: "true" });
    expect(await reasonOf(approve(answer))).toBe("blocked");
    await execute(answer.id);
    expect(performed(answer.id)).toBe(0);
  });

  it("takes what the rules of now ask for: a second person, and still no end", async () => {
    const { answer, id } = await waiting();
    await age(id, "3 days");
    await rule("two", { people: 2 });
    expect(await reasonOf(approve(answer))).toBe("changed");
    const again = await state(answer.id);
    const view = await getApproval(org().admin.actor, { id: idOf(again) });
    expect(view).toMatchObject({ required: { people: 2 }, expiresAt: null });
    expect(await approve(again)).toMatchObject({ status: "pending", remaining: 1 });
    expect(await approve(again, org().admin)).toMatchObject({ status: "approved" });
  });

  it("is one, however many decide at once", async () => {
    const { id } = await waiting();
    await age(id, "3 days");
    const people = await Promise.all(
      Array.from({ length: 20 }, () => withOrgSql(org().id, (q) => testPerson(q, "approver"))),
    );
    const { digest } = await getApproval(org().admin.actor, { id });
    const sure = [org().approver, org().admin, org().owner];
    const tries = [...sure, ...sure, ...sure, ...people].map((person, at) =>
      decideApproval(person.actor, { id, decision: at % 2 === 0 ? "approve" : "reject", digest }),
    );
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const ends = [
      ...(await recorded(org().id, "approval.approved")),
      ...(await recorded(org().id, "approval.rejected")),
    ];
    expect(ends).toHaveLength(1);
  });
});
