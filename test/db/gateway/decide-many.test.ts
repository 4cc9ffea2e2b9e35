import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { decideApprovals } from "@/server/services/approvals/decide-many";
import { getApproval } from "@/server/services/approvals/get";
import type { Answer } from "@/server/services/requests/answer";
import { createRule } from "@/server/services/rules/create";
import { recorded } from "@/test/db/admin/fixture";
import { gatewayFixture } from "@/test/db/gateway/fixture";
import { fiveCases } from "@/test/support/five-cases";
import { type TestPerson, testOrganization } from "@/test/support/organization";

const { org, submit, execute, state, performed } = gatewayFixture();

const shown = async (answer: Answer) => {
  const { id, digest } = await getApproval(org().auditor.actor, { id: answer.approval?.id ?? "" });
  return { id, digest };
};
const decide = (person: TestPerson, decision: "approve" | "reject", items: { id: string; digest: string }[]) =>
  decideApprovals(person.actor, { decision, items, reason: "all of them" });
const asked = async (count: number): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (let at = 0; at < count; at += 1) answers.push(await submit("test.final", { target: `t${at}` }));
  return answers;
};

describe("approval.decide_many", () => {
  fiveCases({
    command: decideApprovals,
    allowed: async () => {
      const answers = await asked(3);
      return {
        actor: org().approver.actor,
        input: { decision: "approve", items: await Promise.all(answers.map(shown)) },
        check: async (answer) => {
          expect(answer).toMatchObject({
            results: answers.map(({ approval }) => ({ ok: true, id: approval?.id, status: "approved" })),
          });
          for (const { id } of answers) {
            expect(await execute(id)).toBe("ran");
            expect(performed(id)).toBe(1);
          }
        },
      };
    },
    invalid: async () => ({ actor: org().approver.actor, input: { decision: "approve", items: [] }, field: "items" }),
    forbidden: async () => ({
      actors: [org().member.actor, org().auditor.actor, org().agent.actor],
      input: { decision: "approve", items: [] },
    }),
    otherOrganization: null,
    conflict: null,
  });

  it("takes at most fifty, each once", async () => {
    const item = { id: `apr_${"0".repeat(26)}`, digest: "0".repeat(64) };
    const many = Array.from({ length: 51 }, (_, at) => ({ ...item, id: `apr_${String(at).padStart(26, "0")}` }));
    await expect(decide(org().approver, "reject", many)).rejects.toMatchObject({ code: "invalid" });
    await expect(decide(org().approver, "reject", [item, item])).rejects.toMatchObject({ code: "invalid" });
  });

  it("leaves alone what changed, what is decided, what is not there and what one asked for, and decides the rest", async () => {
    const [first, changed, decided, last] = await Promise.all((await asked(4)).map(shown));
    if (!first || !changed || !decided || !last) throw new Error("four were asked");
    await decide(org().admin, "reject", [decided]);
    const missing = { id: `apr_${"0".repeat(26)}`, digest: first.digest };
    const items = [first, { ...changed, digest: "0".repeat(64) }, decided, missing, last];
    const { results } = await decide(org().approver, "approve", items);
    expect(results.map((result) => (result.ok ? result.status : result.code))).toEqual([
      "approved",
      "digest_mismatch",
      "already_decided",
      "not_found",
      "approved",
    ]);
    expect(await getApproval(org().owner.actor, { id: changed.id })).toMatchObject({ status: "pending" });
    const own = await decide(org().agentOwner, "approve", [changed]);
    expect(own.results).toMatchObject([{ ok: false, id: changed.id, code: "own_request" }]);
  });

  it("asks anew for what a stricter rule has changed, and approves it not", async () => {
    const item = await shown(await submit("test.final"));
    await createRule(org().admin.actor, {
      name: "two",
      verdict: "approval",
      condition: "true",
      people: 2,
      reason: "x",
    });
    const { results } = await decide(org().approver, "approve", [item]);
    expect(results).toMatchObject([{ ok: false, code: "changed" }]);
  });

  it("never decides high risk, neither way, and the log says who tried", async () => {
    const high = await submit("test.high");
    const low = await submit("test.final");
    for (const decision of ["approve", "reject"] as const) {
      const { results } = await decide(org().approver, decision, [await shown(high)]);
      expect(results).toMatchObject([{ ok: false, code: "high_risk_one_by_one" }]);
    }
    const { results } = await decide(org().approver, "approve", [await shown(high), await shown(low)]);
    expect(results.map(({ ok }) => ok)).toEqual([false, true]);
    expect(await state(high.id)).toMatchObject({ status: "pending" });
    const refusals = await recorded(org().id, "approval.refused");
    expect(refusals.map(({ document }) => document.fields.code)).toEqual(Array(3).fill("high_risk_one_by_one"));
  });

  it("goes by the risk that an action declares now, should the row say less", async () => {
    const high = await submit("test.high");
    await withOrgSql(org().id, (q) => q.query("UPDATE tool_request SET risk = 'low' WHERE id = $1", [high.id]));
    const { results } = await decide(org().approver, "reject", [await shown(high)]);
    expect(results).toMatchObject([{ ok: false, code: "high_risk_one_by_one" }]);
  });

  it("lets one answer win for each, of several batches over the same requests at once", async () => {
    const answers = await asked(6);
    const items = await Promise.all(answers.map(shown));
    const { owner, admin, approver } = org();
    const outcomes = await Promise.all([
      decide(owner, "approve", items),
      decide(admin, "reject", [...items].reverse()),
      decide(approver, "approve", items),
    ]);
    for (const { id } of items) {
      const won = outcomes.flatMap(({ results }) => results).filter((result) => result.ok && result.id === id);
      expect(won).toHaveLength(1);
    }
    const entries = [
      ...(await recorded(org().id, "approval.approved")),
      ...(await recorded(org().id, "approval.rejected")),
    ];
    expect(entries).toHaveLength(6);
    for (const { id } of answers) {
      const ran = await execute(id);
      expect(performed(id)).toBe(ran === "ran" ? 1 : 0);
    }
  });

  it("finds nothing of another organization", async () => {
    const item = await shown(await submit("test.final"));
    const other = await testOrganization("Other");
    const { results } = await decide(other.owner, "reject", [item]);
    expect(results).toMatchObject([{ ok: false, code: "not_found" }]);
    expect(await getApproval(org().owner.actor, { id: item.id })).toMatchObject({ status: "pending" });
  });
});
