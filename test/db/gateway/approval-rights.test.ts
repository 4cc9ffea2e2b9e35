import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { giveRight } from "@/server/services/approval-rights/give";
import { listRights } from "@/server/services/approval-rights/list";
import { withdrawRight } from "@/server/services/approval-rights/withdraw";
import { decideApprovals } from "@/server/services/approvals/decide-many";
import { getApproval } from "@/server/services/approvals/get";
import { listApprovals } from "@/server/services/approvals/list";
import { consoleSummary } from "@/server/services/console/summary";
import { createDepartment } from "@/server/services/departments/create";
import { authenticate } from "@/server/services/identity/authenticate";
import type { Answer } from "@/server/services/requests/answer";
import { createRule } from "@/server/services/rules/create";
import { outsiders, recorded } from "@/test/db/admin/fixture";
import { fiveCases } from "@/test/support/five-cases";
import { testOrganization, testToken } from "@/test/support/organization";
import { gatewayFixture, reasonOf } from "./fixture";
import { rightsOf } from "./rights";

const { org, grant, submit, execute, performed, approve } = gatewayFixture();

const { admin, holder, give, decide, whyNot, change } = rightsOf(org);

describe("approval_right.give", () => {
  fiveCases({
    command: giveRight,
    allowed: async () => ({
      actor: admin(),
      input: { member: org().member.id, maxRisk: "low", actions: ["test.final"], connections: [grant().connectionId] },
      check: async (right) => {
        expect(right).toMatchObject({ maxRisk: "low", departments: null, actions: ["test.final"] });
        expect((await listRights(org().auditor.actor, {})).items).toEqual([right]);
        const [entry] = await recorded(org().id, "approval_right.given");
        expect(entry?.document.fields).toMatchObject({ member: org().member.id, maxRisk: "low", departments: [] });
      },
    }),
    invalid: async () => ({
      actor: admin(),
      input: { member: org().member.id, maxRisk: "low", actions: [] },
      field: "actions",
    }),
    forbidden: async () => ({ actors: outsiders(org()), input: { member: org().member.id, maxRisk: "low" } }),
    otherOrganization: async () => {
      const other = await testOrganization();
      return { actor: other.owner.actor, input: { member: org().member.id, maxRisk: "low" } };
    },
    conflict: async () => ({
      actor: admin(),
      input: { member: org().auditor.id, maxRisk: "low" },
      reason: "not_a_member",
    }),
  });

  it("names only what exists in the organization, and is given by nobody whose credential decides nothing", async () => {
    await expect(give({ actions: ["no.such"] })).rejects.toMatchObject({ details: { field: "actions" } });
    const theirs = { departments: [`dep_${"0".repeat(26)}`] };
    await expect(give(theirs)).rejects.toMatchObject({ details: { field: "departments" } });
    const token = {
      ...admin(),
      permissions: new Set([...admin().permissions].filter((one) => one !== "approval:decide")),
    };
    const wanted = { member: org().member.id, maxRisk: "low" } as const;
    expect(await reasonOf(giveRight(token, wanted))).toBe("beyond_own_permissions");
    await change(org().admin.id, { role: "approver" });
    expect(await reasonOf(giveRight(admin(), wanted))).toBe("role_required");
  });

  it("is never widened, dated or taken back to life by a statement of the product", async () => {
    await give();
    for (const set of ["max_risk = 'high'", "given_at = 'epoch'", "member_id = given_by"]) {
      const update = withOrgSql(org().id, (q) => q.query(`UPDATE approval_right SET ${set}`));
      await expect(update, set).rejects.toMatchObject({ code: "42501" });
    }
  });
});

describe("approval_right.withdraw", () => {
  fiveCases({
    command: withdrawRight,
    allowed: async () => ({
      actor: admin(),
      input: { id: (await give()).id },
      check: async () => {
        expect((await listRights(admin(), {})).items).toEqual([]);
        expect(await recorded(org().id, "approval_right.withdrawn")).toHaveLength(1);
      },
    }),
    invalid: async () => ({ actor: admin(), input: { id: "rgt_x" }, field: "id" }),
    forbidden: async () => ({ actors: outsiders(org()), input: { id: (await give()).id } }),
    otherOrganization: async () => {
      const other = await testOrganization();
      return { actor: other.owner.actor, input: { id: (await give()).id } };
    },
    conflict: async () => {
      const { id } = await give();
      await withdrawRight(admin(), { id });
      return { actor: admin(), input: { id }, reason: "already_withdrawn" };
    },
  });
});

describe("a member with a right to approve", () => {
  it("decides what it covers as an approver does, and it runs", async () => {
    await give({ actions: ["test.final"], connections: [grant().connectionId] });
    const answer = await submit("test.final");
    expect(await decide(answer, holder())).toMatchObject({ status: "approved" });
    expect(await execute(answer.id)).toBe("ran");
    expect(performed(answer.id)).toBe(1);
  });

  it("sees what it covers, with its content, and nothing else of the queue", async () => {
    await give({ actions: ["test.final"] });
    const inside = await submit("test.final", { target: "seen" });
    const outside = await submit("test.high");
    const { items } = await listApprovals(holder(), {});
    expect(items.map(({ id }) => id)).toEqual([inside.approval?.id]);
    expect(items[0]).toMatchObject({ arguments: { target: "seen" }, mayDecide: { allowed: true } });
    await expect(getApproval(holder(), { id: outside.approval?.id ?? "" })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await consoleSummary(holder(), {})).toMatchObject({ waiting: 1 });
    expect(holder().permissions.has("content:read")).toBe(false);
    expect(holder().permissions.has("request:read")).toBe(false);
  });

  it.each<[string, object, string]>([
    ["above its risk", { maxRisk: "medium" }, "test.high"],
    ["of another action", { actions: ["test.write"] }, "test.final"],
    ["of another department", { departments: "other" }, "test.final"],
  ])("decides nothing %s, neither way, nor in a batch", async (_what, scope, action) => {
    const departments = "departments" in scope ? { departments: [await department()] } : {};
    await give({ ...scope, ...departments });
    const answer = await submit(action);
    // As of what is not there.
    expect(await whyNot(answer, holder())).toBe("not_found");
    expect(await whyNot(answer, holder(), "reject")).toBe("not_found");
    const id = answer.approval?.id ?? "";
    const { digest, whoCould } = await getApproval(org().auditor.actor, { id });
    const { results } = await decideApprovals(holder(), { decision: "approve", items: [{ id, digest }] });
    expect(results).toMatchObject([{ ok: false }]);
    expect(whoCould?.people.map((person) => person.id)).not.toContain(org().member.id);
  });

  it("decides for a department while the agent is in it", async () => {
    const id = await department();
    await withOrgSql(org().id, (q) => q.query("UPDATE agent SET department_id = $1", [id]));
    await give({ departments: [id] });
    expect(await decide(await submit("test.final"), holder())).toMatchObject({ status: "approved" });
  });

  it("does not stand for an admin, and counts as one of two people", async () => {
    await give();
    const reason = "test";
    await createRule(admin(), {
      name: "Admin",
      verdict: "approval",
      condition: 'args.target == "x"',
      requiredRole: "admin",
      reason,
    });
    await createRule(admin(), { name: "Two", verdict: "approval", condition: 'args.target == "y"', people: 2, reason });
    expect(await whyNot(await submit("test.write", { target: "x" }), holder())).toBe("role_required");
    const two = await submit("test.write", { target: "y" });
    expect(await decide(two, holder())).toMatchObject({ status: "pending", remaining: 1 });
    expect(await whyNot(two, holder())).toBe("same_person");
    expect(await approve(two)).toMatchObject({ status: "approved" });
  });

  it("does not decide what their own agent asks", async () => {
    await give();
    await withOrgSql(org().id, (q) => q.query("UPDATE agent SET owner_id = $1", [org().member.id]));
    expect(await whyNot(await submit("test.final"), holder())).toBe("own_request");
  });

  it("is one of those who could approve, and exactly where the decision lets them", async () => {
    await give({ actions: ["test.final"] });
    const [inside, outside] = [await submit("test.final"), await submit("test.high")];
    const could = async (answer: Answer) =>
      (await getApproval(org().auditor.actor, { id: answer.approval?.id ?? "" })).whoCould?.people;
    expect(await could(inside)).toContainEqual({
      id: org().member.id,
      name: "Some member",
      role: "member",
      away: null,
    });
    expect((await could(outside))?.map(({ id }) => id)).not.toContain(org().member.id);
  });

  it("comes through the door with it, and without it once it is withdrawn; a token opens what its scopes open", async () => {
    const by = async (...scopes: ("read" | "decide")[]) => {
      const actor = await authenticate({
        authorization: `Bearer ${await testToken(org().member, scopes)}`,
        cookie: null,
      });
      return [...(actor?.permissions ?? [])].filter((one) => one.startsWith("approval:")).sort();
    };
    expect(await by("read", "decide")).toEqual([]);
    const { id } = await give();
    expect(await by("read", "decide")).toEqual(["approval:decide", "approval:read"]);
    expect(await by("read")).toEqual(["approval:read"]);
    await withdrawRight(admin(), { id });
    expect(await by("read", "decide")).toEqual([]);
  });

  it("gave an approval that counts no more once the right is withdrawn, however many do both at once", async () => {
    const runs = Array.from({ length: 8 }, async (_, at) => {
      const { id } = await give({ actions: ["test.final"] });
      return { id, at };
    });
    const rights = await Promise.all(runs);
    const answers = await Promise.all(rights.map(({ at }) => submit("test.final", { target: `t${at}` })));
    await Promise.allSettled([
      ...answers.map((answer) => decide(answer, holder())),
      ...rights.map(({ id }) => withdrawRight(admin(), { id })),
    ]);
    for (const { id } of answers) {
      expect(await execute(id)).not.toBe("ran");
      expect(performed(id)).toBe(0);
    }
  });
});

async function department(): Promise<string> {
  const { id } = await createDepartment(admin(), { name: "Other" });
  return id;
}
