import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { decideApproval } from "@/server/services/approvals/decide";
import { expireApproval } from "@/server/services/approvals/expire";
import { getApproval } from "@/server/services/approvals/get";
import type { Answer } from "@/server/services/requests/answer";
import { cancelToolRequest } from "@/server/services/requests/cancel";
import { describeToolRequest } from "@/server/services/requests/detail";
import { getToolRequest } from "@/server/services/requests/get";
import { resolveToolRequest } from "@/server/services/requests/resolve";
import { returnToQueue } from "@/server/services/requests/return-to-queue";
import { takeUpProposal } from "@/server/services/requests/take-up";
import { systemActor } from "@/server/services/system-actor";
import { gatewayFixture } from "@/test/db/gateway/fixture";

const { org, submit, approve, execute, state } = gatewayFixture();

const sql = (text: string, values: unknown[] = []) => withOrgSql(org().id, (q) => q.query(text, values));
const system = () => systemActor(org().id, "test");
const asked = () => submit("test.final");
const decide = async (answer: Answer, decision: "approve" | "reject", reason?: string) => {
  const id = answer.approval?.id ?? "";
  const { digest } = await getApproval(org().approver.actor, { id });
  return decideApproval(org().approver.actor, { id, decision, digest, ...(reason ? { reason } : {}) });
};

/** What the agent and the page of the request say of it; they must say the same. */
async function standing(id: string) {
  const told = (await state(id)).standing;
  const shown = (await describeToolRequest(org().approver.actor, { id })).standing;
  expect(shown).toEqual(told);
  if (told === undefined) throw new Error("a read says where it stands");
  return { code: told.code, by: told.by.map(({ name }) => name), why: told.why };
}

describe("where a request stands, for its agent and for people", () => {
  it("names who rejected it, and that person's reason only to who may see content", async () => {
    const answer = await asked();
    await decide(answer, "reject", "Not this customer.");
    expect(await standing(answer.id)).toEqual({ code: "rejected", by: ["Some approver"], why: "Not this customer." });
    const read = await getToolRequest(org().auditor.actor, { id: answer.id });
    const shown = await describeToolRequest(org().auditor.actor, { id: answer.id });
    expect([read.standing?.code, read.standing?.why, shown.standing.why]).toEqual(["rejected", null, null]);
    expect(JSON.stringify([read, shown])).not.toContain("customer");
  });

  it("names who withdrew it, agent or person", async () => {
    const [first, second] = [await asked(), await asked()];
    await cancelToolRequest(org().agent.actor, { id: first.id });
    await cancelToolRequest(org().approver.actor, { id: second.id });
    expect(await standing(first.id)).toEqual({ code: "withdrawn", by: [org().agent.actor.name], why: null });
    expect(await standing(second.id)).toEqual({ code: "withdrawn", by: ["Some approver"], why: null });
  });

  it("says that nobody decided in time", async () => {
    const answer = await asked();
    await sql("UPDATE approval SET expires_at = now() - interval '1 second'");
    await expireApproval(system(), { approvalId: answer.approval?.id ?? "" });
    expect(await standing(answer.id)).toEqual({ code: "expired", by: ["nobody in time"], why: null });
  });

  it("names who cancelled it in its undo window, and who had approved it before", async () => {
    const answer = await submit("test.undoable");
    await approve(answer);
    expect((await standing(answer.id)).code).toBe("in_window");
    await cancelToolRequest(org().agent.actor, { id: answer.id });
    expect(await standing(answer.id)).toEqual({ code: "cancelled", by: [org().agent.actor.name], why: null });
    const approved = await asked();
    await approve(approved);
    expect(await standing(approved.id)).toEqual({ code: "approved", by: ["Some approver"], why: null });
    await execute(approved.id);
    expect(await standing(approved.id)).toEqual({ code: "succeeded", by: ["Some approver"], why: null });
  });

  it("says that it is asked again, or held, and why", async () => {
    const answer = await asked();
    await approve(answer);
    const back = { requestId: answer.id, actor: system(), at: new Date() };
    await withOrgSql(org().id, (q) => returnToQueue(q, [{ ...back, why: "authority_lost" }]));
    expect(await standing(answer.id)).toMatchObject({ code: "asked_again", by: ["Countersign"] });
    expect((await standing(answer.id)).why).toContain("may no longer do so");
    await sql("UPDATE approval SET is_held = true WHERE status = 'pending'");
    expect(await standing(answer.id)).toMatchObject({ code: "held", by: ["a control"] });
    await sql("UPDATE approval SET is_held = false");
    await sql("UPDATE tool_request SET blocked_check = 'grant', blocked_code = 'grant_expired'");
    expect(await standing(answer.id)).toMatchObject({ code: "blocked", by: ["the agent's grant"] });
  });

  it("names the check that refused it, and who took it up where it was a proposal", async () => {
    await sql("UPDATE agent SET autonomy = 'suggest'");
    await submit("test.write").catch(() => undefined);
    const id = (await sql("SELECT id FROM tool_request")).rows[0]?.id as string;
    expect(await standing(id)).toMatchObject({ code: "proposed", by: ["the organization's rules"] });
    await takeUpProposal(org().approver.actor, { id });
    expect(await standing(id)).toEqual({ code: "taken_up", by: ["Some approver"], why: null });
  });

  it("names who looked where the outcome was unknown", async () => {
    const answer = await submit("test.write");
    await sql("UPDATE tool_request SET status = 'outcome_unknown' WHERE id = $1", [answer.id]);
    expect((await standing(answer.id)).code).toBe("unknown");
    await resolveToolRequest(org().approver.actor, {
      id: answer.id,
      outcome: "not_done",
      reason: "The list is empty.",
    });
    expect(await standing(answer.id)).toEqual({
      code: "marked_not_done",
      by: ["Some approver"],
      why: "The list is empty.",
    });
    const read = await getToolRequest(org().auditor.actor, { id: answer.id });
    expect(JSON.stringify(read)).not.toContain("The list is empty");
  });

  it("says that a later request made good for it", async () => {
    const answer = await submit("test.write");
    await submit("test.write", { target: "back" }, { compensates: answer.id });
    expect(await standing(answer.id)).toEqual({ code: "made_good", by: [org().agent.actor.name], why: null });
  });
});
