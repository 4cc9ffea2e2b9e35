import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { createAgent } from "@/server/services/agents/create";
import { changeBudget } from "@/server/services/budgets/change";
import { createBudget } from "@/server/services/budgets/create";
import { listBudgets } from "@/server/services/budgets/list";
import { createDepartment } from "@/server/services/departments/create";
import { fiveCases } from "@/test/support/five-cases";
import { outsiders, recorded, twoOrganizations, unique } from "./fixture";

const two = twoOrganizations();
const admin = () => two.ours.admin.actor;
const forAgent = async () => {
  const { id } = await createAgent(admin(), { name: unique("agent") });
  return { scope: "agent", scopeId: id, period: "day", currency: "USD", capMicros: "5000000" } as const;
};
const make = async () => createBudget(admin(), await forAgent());

describe("budget.create", () => {
  fiveCases({
    command: createBudget,
    allowed: async () => ({
      actor: admin(),
      input: await forAgent(),
      check: async (answer) => {
        expect(answer).toMatchObject({ capMicros: 5_000_000n, spentMicros: 0n, reservedMicros: 0n, version: 1 });
        const [entry] = (await recorded(two.ours.id, "budget.created")).slice(-1);
        expect(entry?.document.fields).toMatchObject({ scope: "agent", period: "day", capMicros: "5000000" });
      },
    }),
    invalid: async () => ({ actor: admin(), input: { ...(await forAgent()), capMicros: "-1" }, field: "capMicros" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: await forAgent() }),
    otherOrganization: async () => ({
      actor: admin(),
      input: { ...(await forAgent()), scopeId: two.theirs.agent.id },
      code: "invalid",
    }),
    conflict: async () => {
      const budget = await forAgent();
      await createBudget(admin(), budget);
      return { actor: admin(), input: budget, reason: "already_exists" };
    },
  });

  it("caps a department, the organization in another currency, and each single request", async () => {
    const { id } = await createDepartment(admin(), { name: unique("Sales") });
    const amount = { currency: "EUR", capMicros: "9007199254740993" };
    const department = await createBudget(admin(), { scope: "department", scopeId: id, period: "month", ...amount });
    expect(department.capMicros).toBe(9_007_199_254_740_993n);
    const organization = await createBudget(admin(), { scope: "organization", period: "day", ...amount });
    expect(organization.scopeId).toBe(two.ours.id);
    const request = await createBudget(admin(), { scope: "request", ...amount });
    expect(request).toMatchObject({ scopeId: two.ours.id, period: "request" });
  });
});

describe("budget.change", () => {
  fiveCases({
    command: changeBudget,
    allowed: async () => ({
      actor: admin(),
      input: { id: (await make()).id, version: 1, capMicros: "0" },
      check: async (answer) => {
        expect(answer).toMatchObject({ capMicros: 0n, version: 2 });
        const [entry] = (await recorded(two.ours.id, "budget.changed")).slice(-1);
        expect(entry?.document.fields).toMatchObject({ capMicros: "0", previousCapMicros: "5000000" });
      },
    }),
    invalid: async () => ({
      actor: admin(),
      input: { id: (await make()).id, version: 1, capMicros: "1.5" },
      field: "capMicros",
    }),
    forbidden: async () => ({
      actors: outsiders(two.ours),
      input: { id: (await make()).id, version: 1, capMicros: "1" },
    }),
    otherOrganization: async () => ({
      actor: two.theirs.owner.actor,
      input: { id: (await make()).id, version: 1, capMicros: "1" },
    }),
    conflict: async () => {
      const { id } = await make();
      await changeBudget(admin(), { id, version: 1, capMicros: "1" });
      return { actor: admin(), input: { id, version: 1, capMicros: "2" }, reason: "stale_version" };
    },
  });

  it("keeps what is spent and held", async () => {
    const { id } = await make();
    await withOrgSql(two.ours.id, (q) =>
      q.query("UPDATE budget SET spent_micros = 7, reserved_micros = 3 WHERE id = $1", [id]),
    );
    const changed = await changeBudget(admin(), { id, version: 1, capMicros: "5" });
    expect(changed).toMatchObject({ spentMicros: 7n, reservedMicros: 3n, capMicros: 5n });
  });
});

describe("budget.list", () => {
  it("has the organization's own budget from the start, and nothing of another organization", async () => {
    const { items } = await listBudgets(two.theirs.auditor.actor, {});
    expect(items).toMatchObject([{ scope: "organization", scopeId: two.theirs.id, period: "month", currency: "USD" }]);
  });

  it("counts what was spent in a period that has ended as nothing", async () => {
    const { id } = await make();
    await withOrgSql(two.ours.id, (q) =>
      q.query("UPDATE budget SET spent_micros = 7, period_start = period_start - interval '1 day' WHERE id = $1", [id]),
    );
    const { items } = await listBudgets(admin(), { limit: 100 });
    expect(items.find((budget) => budget.id === id)).toMatchObject({ spentMicros: 0n });
  });
});
