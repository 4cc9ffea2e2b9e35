import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { ruleSetSchema } from "@/server/domain/rule";
import { changeRule } from "@/server/services/rules/change";
import { createRule } from "@/server/services/rules/create";
import { getRule } from "@/server/services/rules/get";
import { listRules } from "@/server/services/rules/list";
import { listRuleSets } from "@/server/services/rules/list-sets";
import { fiveCases } from "@/test/support/five-cases";
import { outsiders, recorded, twoOrganizations, unique } from "./fixture";

const two = twoOrganizations();
const admin = () => two.ours.admin.actor;
const CONDITION = "size(recipients) > 5";
const input = () =>
  ({ name: unique("rule"), verdict: "approval", condition: CONDITION, requiredRole: "admin", people: 2 }) as const;
const make = () => createRule(admin(), input());

type Sets = { ruleVersion: number; sets: { version: number; rules: unknown; reason: string }[] };
const setsOf = (orgId: string): Promise<Sets> =>
  withOrgSql(orgId, async (q) => {
    const { rows: sets } = await q.query<Sets["sets"][number]>(
      "SELECT version, rules, reason FROM rule_set ORDER BY version",
    );
    const { rows } = await q.query<{ rule_version: number }>("SELECT rule_version FROM organization");
    return { ruleVersion: rows[0]?.rule_version ?? -1, sets };
  });

describe("rule.create", () => {
  fiveCases({
    command: createRule,
    allowed: async () => ({
      actor: admin(),
      input: { ...input(), expiresMinutes: 15, reason: "Mailings went wrong." },
      check: async (answer) => {
        expect(answer).toMatchObject({
          verdict: "approval",
          requiredRole: "admin",
          people: 2,
          enabled: true,
          version: 1,
        });
        const { ruleVersion, sets } = await setsOf(two.ours.id);
        expect(sets.at(-1)).toMatchObject({ version: ruleVersion, reason: "Mailings went wrong." });
        expect(ruleSetSchema.parse(sets.at(-1)?.rules).at(-1)).toMatchObject({
          condition: CONDITION,
          expiresMinutes: 15,
        });
        const [entry] = (await recorded(two.ours.id, "rule.created")).slice(-1);
        expect(entry?.document.fields).toMatchObject({ verdict: "approval", ruleVersion });
        expect(JSON.stringify(entry)).not.toContain("Mailings went wrong");
      },
    }),
    invalid: async () => ({ actor: admin(), input: { ...input(), people: 3 }, field: "people" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: input() }),
    otherOrganization: null,
    conflict: async () => ({
      actor: admin(),
      input: { ...input(), name: (await make()).name },
      reason: "already_exists",
    }),
  });

  it("says where a condition goes wrong, and what was probably meant", async () => {
    const wrong = { ...input(), condition: 'risk == "high" &&\n  recipient.size() > 5' };
    await expect(createRule(admin(), wrong)).rejects.toMatchObject({
      code: "invalid",
      details: {
        reason: "rule_condition",
        field: "condition",
        extra: { line: 2, column: 3, suggestion: "recipients" },
      },
    });
    await expect(createRule(admin(), { ...input(), condition: "amount" })).rejects.toMatchObject({
      details: { extra: { problem: "not_bool" } },
    });
  });

  it("refuses a denial that names who must approve", async () => {
    const wrong = { ...input(), verdict: "deny" } as never;
    await expect(createRule(admin(), wrong)).rejects.toMatchObject({ code: "invalid" });
  });
});

describe("rule.change", () => {
  fiveCases({
    command: changeRule,
    allowed: async () => {
      const { id } = await make();
      return {
        actor: admin(),
        input: { id, version: 1, enabled: false, reason: "No longer needed." },
        check: async (answer) => {
          expect(answer).toMatchObject({ enabled: false, version: 2 });
          const { sets } = await setsOf(two.ours.id);
          expect(ruleSetSchema.parse(sets.at(-2)?.rules).map((rule) => rule.id)).toContain(id);
          expect(ruleSetSchema.parse(sets.at(-1)?.rules).map((rule) => rule.id)).not.toContain(id);
          const [entry] = (await recorded(two.ours.id, "rule.changed")).slice(-1);
          expect(entry?.document.fields).toMatchObject({ rule: id, changed: ["enabled"], version: 2 });
        },
      };
    },
    invalid: async () => ({
      actor: admin(),
      input: { id: (await make()).id, version: 1, condition: "" },
      field: "condition",
    }),
    forbidden: async () => ({
      actors: outsiders(two.ours),
      input: { id: (await make()).id, version: 1, enabled: false },
    }),
    otherOrganization: async () => ({
      actor: two.theirs.owner.actor,
      input: { id: (await make()).id, version: 1, enabled: false },
    }),
    conflict: async () => {
      const { id } = await make();
      await changeRule(admin(), { id, version: 1, people: 1 });
      return { actor: admin(), input: { id, version: 1, people: 2 }, reason: "stale_version" };
    },
  });

  it("that turns an approval into a denial drops whom it asked, and the other way asks by default", async () => {
    const { id } = await make();
    const denial = await changeRule(admin(), { id, version: 1, verdict: "deny" });
    expect(denial).toMatchObject({ verdict: "deny", requiredRole: null, people: 1, expiresMinutes: null });
    const asking = await changeRule(admin(), { id, version: 2, verdict: "approval", requiredRole: "owner" });
    expect(asking).toMatchObject({ verdict: "approval", requiredRole: "owner", people: 1 });
    await expect(changeRule(admin(), { id, version: 3, verdict: "deny", people: 2 })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  it("that fails leaves no version behind", async () => {
    const { id } = await make();
    const { ruleVersion } = await setsOf(two.ours.id);
    await expect(changeRule(admin(), { id, version: 1, condition: "nonsense(" })).rejects.toMatchObject({
      code: "invalid",
    });
    await expect(changeRule(admin(), { id, version: 9, enabled: false })).rejects.toMatchObject({ code: "conflict" });
    expect((await setsOf(two.ours.id)).ruleVersion).toBe(ruleVersion);
  });
});

describe("versions of the rules", () => {
  it("neither skip nor double when many change rules at once, and each holds one change more than the last", async () => {
    const actor = two.theirs.admin.actor;
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => createRule(actor, { ...input(), name: `same ${i % 15}` })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(15);
    const { ruleVersion, sets } = await setsOf(two.theirs.id);
    expect(sets.map(({ version }) => version)).toEqual(Array.from({ length: 16 }, (_, i) => i));
    expect(ruleVersion).toBe(15);
    expect(sets.map(({ rules }) => ruleSetSchema.parse(rules).length)).toEqual(Array.from({ length: 16 }, (_, i) => i));
  });

  it("can be read by whoever reads rules, newest first, and belong to one organization", async () => {
    const page = await listRuleSets(two.theirs.auditor.actor, { limit: 4 });
    expect(page.items.map(({ version }) => version)).toEqual([15, 14, 13, 12]);
    expect(page.nextCursor).toBe(12);
    expect((await listRuleSets(admin(), {})).items.every(({ changedBy }) => changedBy !== two.theirs.admin.id)).toBe(
      true,
    );
  });

  it("cannot be changed once written", async () => {
    await expect(withOrgSql(two.ours.id, (q) => q.query("UPDATE rule_set SET rules = '[]'"))).rejects.toMatchObject({
      code: "42501",
    });
  });
});

describe("rule.get and rule.list", () => {
  fiveCases({
    command: getRule,
    allowed: async () => ({ actor: two.ours.approver.actor, input: { id: (await make()).id } }),
    invalid: async () => ({ actor: admin(), input: { id: "rul_x" }, field: "id" }),
    forbidden: async () => ({
      actors: [two.ours.member.actor, two.ours.agent.actor],
      input: { id: (await make()).id },
    }),
    otherOrganization: async () => ({ actor: two.theirs.owner.actor, input: { id: (await make()).id } }),
    conflict: null,
  });

  it("show nothing of another organization", async () => {
    const theirs = (await listRules(two.theirs.admin.actor, { limit: 100 })).items.map(({ id }) => id);
    const ours = (await listRules(admin(), { limit: 100 })).items.map(({ id }) => id);
    expect(theirs.filter((id) => ours.includes(id))).toEqual([]);
  });
});
