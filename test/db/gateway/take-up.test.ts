import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { getApproval } from "@/server/services/approvals/get";
import { consoleSummary } from "@/server/services/console/summary";
import { setReadOnly } from "@/server/services/controls/set-read-only";
import { describeToolRequest } from "@/server/services/requests/detail";
import { listToolRequests } from "@/server/services/requests/list";
import { takeUpProposal } from "@/server/services/requests/take-up";
import { changeRule } from "@/server/services/rules/change";
import { createRule } from "@/server/services/rules/create";
import { recorded } from "@/test/db/admin/fixture";
import { gatewayFixture, reasonOf } from "@/test/db/gateway/fixture";
import { fiveCases } from "@/test/support/five-cases";
import { testOrganization } from "@/test/support/organization";

const { org, grant, submit, execute, state, performed, approve } = gatewayFixture();
const sql = (text: string, values: unknown[] = []) => withOrgSql(org().id, (q) => q.query(text, values));

/** What an agent that may only suggest asks for. Returns the proposal's id. */
async function propose(action = "test.write", args: object = { target: "a" }): Promise<string> {
  await sql("UPDATE agent SET autonomy = 'suggest'");
  return refusedAs(action, args);
}
const refusedAs = (action: string, args: object): Promise<string> =>
  submit(action, args).then(
    () => expect.fail("it is recorded as a proposal"),
    (error: { reason: string; details: { extra: { id: string } } }) => {
      expect(error.reason).toBe("recorded_as_proposal");
      return error.details.extra.id;
    },
  );
const takeUp = (id: string, person = org().approver) => takeUpProposal(person.actor, { id });

describe("proposal.take_up", () => {
  fiveCases({
    command: takeUpProposal,
    allowed: async () => {
      const id = await propose("test.write", { target: "kept" });
      return {
        actor: org().approver.actor,
        input: { id },
        check: async (answer) => {
          const made = answer as Awaited<ReturnType<typeof takeUp>>;
          expect(made).toMatchObject({ status: "pending", approval: { id: expect.any(String) } });
          const view = await getApproval(org().admin.actor, { id: made.approval?.id ?? "" });
          expect(view).toMatchObject({
            arguments: { target: "kept" },
            agent: { id: org().agent.id },
            takenUpBy: { id: org().approver.id },
          });
          expect(view.reasons.map(({ code }) => code)).toContain("taken_up");
          expect(await approve(made, org().admin)).toMatchObject({ status: "approved" });
          expect(await execute(made.id)).toBe("ran");
          expect(performed(made.id)).toBe(1);
          expect(performed(id)).toBe(0);
        },
      };
    },
    invalid: async () => ({ actor: org().approver.actor, input: { id: "req_x" }, field: "id" }),
    forbidden: async () => ({
      actors: [org().member.actor, org().auditor.actor, org().agent.actor],
      input: { id: await propose() },
    }),
    otherOrganization: async () => ({
      actor: (await testOrganization("Other")).owner.actor,
      input: { id: await propose() },
    }),
    conflict: async () => {
      const id = await propose();
      await takeUp(id);
      return { actor: org().admin.actor, input: { id }, reason: "already_taken_up" };
    },
  });

  it("takes up nothing that is no proposal", async () => {
    const { id } = await submit("test.final");
    expect(await reasonOf(takeUp(id))).toBe("not_a_proposal");
  });

  it("counts whoever took it up as having asked, and the agent's owner still", async () => {
    const made = await takeUp(await propose());
    expect(await reasonOf(approve(made, org().approver))).toBe("own_request");
    expect(await reasonOf(approve(made, org().agentOwner))).toBe("own_request");
    const { mayDecide, whoCould } = await getApproval(org().approver.actor, { id: made.approval?.id ?? "" });
    expect(mayDecide).toMatchObject({ allowed: false });
    expect(whoCould?.people.map(({ id }) => id).sort()).toEqual([org().owner.id, org().admin.id].sort());
    expect(await consoleSummary(org().approver.actor, {})).toMatchObject({ waiting: 0 });
    expect(await consoleSummary(org().admin.actor, {})).toMatchObject({ waiting: 1 });
  });

  it("is once: of many at the same time one wins, and one request comes of it", async () => {
    const id = await propose();
    const people = [org().owner, org().admin, org().approver, org().agentOwner];
    const outcomes = await Promise.all([...people, ...people].map((person) => reasonOf(takeUp(id, person))));
    expect(outcomes.filter((outcome) => outcome === "it did not fail")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "already_taken_up")).toHaveLength(7);
    const { rows } = await sql("SELECT id FROM tool_request WHERE taken_up_from_id = $1", [id]);
    expect(rows).toHaveLength(1);
  });

  it("goes through the whole pipeline: what a rule forbids now stays a proposal, and can be taken up once it may", async () => {
    const id = await propose();
    const rule = await createRule(org().admin.actor, {
      name: "no",
      verdict: "deny",
      condition: "args.target == 'a'",
      reason: "x",
    });
    expect(await reasonOf(takeUp(id))).toBe("rule_denied");
    const [entry] = await recorded(org().id, "proposal.refused");
    expect(entry?.document.fields).toEqual({ action: "test.write", check: "approval_reasons", code: "rule_denied" });
    await changeRule(org().admin.actor, { id: rule.id, version: rule.version, enabled: false, reason: "x" });
    expect(await takeUp(id)).toMatchObject({ status: "pending" });
  });

  it("takes up what read-only mode recorded, once the mode is off, from an agent at any level", async () => {
    await setReadOnly(org().admin.actor, { enabled: true, reason: "x" });
    const id = await refusedAs("test.write", { target: "a" });
    expect(await reasonOf(takeUp(id))).toBe("read_only");
    await setReadOnly(org().admin.actor, { enabled: false, reason: "x" });
    const made = await takeUp(id);
    expect(made).toMatchObject({ status: "pending" });
    expect(await state(id)).toMatchObject({ status: "denied", takenUpAs: made.id });
  });

  it("does not run under a key, a grant or a limit that no longer hold", async () => {
    const id = await propose();
    await sql("UPDATE agent SET pending_limit = 0");
    expect(await reasonOf(takeUp(id))).toBe("too_many_pending");
    await sql("UPDATE agent SET pending_limit = 20");
    await sql("UPDATE agent_grant SET revoked_at = now() WHERE id = $1", [grant().grantId]);
    expect(await reasonOf(takeUp(id))).toBe("no_grant");
    await sql("UPDATE agent_key SET revoked_at = now()");
    expect(await reasonOf(takeUp(id))).toBe("key_not_valid");
    const { items } = await listToolRequests(org().owner.actor, { proposals: true, takenUp: false });
    expect(items.map((item) => item.id)).toEqual([id]);
  });

  it("stays asked for when it comes back to the queue: what was taken up never runs by itself", async () => {
    const made = await takeUp(await propose());
    await approve(made, org().admin);
    await sql("UPDATE tool_request SET runs_at = now() - interval '16 minutes' WHERE id = $1", [made.id]);
    expect(await execute(made.id)).toBe("returned");
    expect(await reasonOf(approve(await state(made.id), org().approver))).toBe("own_request");
    expect(await approve(await state(made.id), org().admin)).toMatchObject({ status: "approved" });
    expect(await execute(made.id)).toBe("ran");
  });

  it("names agent, person and proposal in the log and in the details of both", async () => {
    const id = await propose();
    const made = await takeUp(id);
    const [submitted] = (await recorded(org().id, "request.submitted")).slice(-1);
    expect(submitted?.document).toMatchObject({
      actor: { kind: "member", id: org().approver.id },
      fields: { takenUpFrom: id },
    });
    const proposal = await describeToolRequest(org().auditor.actor, { id });
    expect(proposal).toMatchObject({ takenUpAs: made.id, takenUpBy: { id: org().approver.id }, takenUpFrom: null });
    expect(proposal.timeline.map(({ type }) => type)).toEqual(["request.proposed", "proposal.taken_up"]);
    const request = await describeToolRequest(org().auditor.actor, { id: made.id });
    expect(request).toMatchObject({ takenUpFrom: id, takenUpBy: { id: org().approver.id }, takenUpAs: null });
  });

  it("leaves the list of those that wait to be taken up", async () => {
    const [first, second] = [await propose(), await propose("test.final")];
    await takeUp(first);
    const open = await listToolRequests(org().auditor.actor, { proposals: true, takenUp: false });
    expect(open.items.map((item) => item.id)).toEqual([second]);
    const taken = await listToolRequests(org().auditor.actor, { proposals: true, takenUp: true });
    expect(taken.items).toMatchObject([{ id: first, takenUpAt: expect.any(Date) }]);
  });
});
