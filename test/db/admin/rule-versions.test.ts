import { describe, expect, it } from "vitest";
import { changeRule } from "@/server/services/rules/change";
import { createRule } from "@/server/services/rules/create";
import { getRule } from "@/server/services/rules/get";
import { getRuleSet, type RuleSetDetails } from "@/server/services/rules/get-set";
import { listRuleSets } from "@/server/services/rules/list-sets";
import { restoreRules } from "@/server/services/rules/restore";
import { fiveCases } from "@/test/support/five-cases";
import { outsiders, recorded, twoOrganizations, unique } from "./fixture";

const two = twoOrganizations();
const admin = () => two.ours.admin.actor;
const input = (condition = "size(recipients) > 5") =>
  ({ name: unique("rule"), verdict: "approval", condition, requiredRole: "admin", people: 2 }) as const;
const make = (condition?: string) => createRule(admin(), { ...input(condition), reason: "Needed." });
const inForce = async (): Promise<number> => (await listRuleSets(admin(), { limit: 1 })).items[0]?.version ?? -1;
const change = (rule: { id: string; version: number }, fields: object) =>
  changeRule(admin(), { id: rule.id, version: rule.version, reason: "Tried.", ...fields });

describe("rule_set.get", () => {
  fiveCases({
    command: getRuleSet,
    allowed: async () => {
      const rule = await make();
      await change(rule, { people: 1 });
      return {
        actor: two.ours.auditor.actor,
        input: { version: await inForce() },
        check: (given) => {
          const answer = given as RuleSetDetails;
          expect(answer).toMatchObject({ isCurrent: true, reason: "Tried.", changerName: expect.any(String) });
          expect(answer.changes).toEqual([
            { kind: "changed", id: rule.id, name: rule.name, fields: [{ field: "people", from: "2", to: "1" }] },
          ]);
        },
      };
    },
    invalid: async () => ({ actor: admin(), input: { version: -1 }, field: "version" }),
    forbidden: async () => ({ actors: [two.ours.member.actor, two.ours.agent.actor], input: { version: 0 } }),
    otherOrganization: async () => {
      await make();
      return { actor: two.theirs.owner.actor, input: { version: await inForce() } };
    },
    conflict: null,
  });

  it("compares with any other version, and the first with none", async () => {
    const from = await inForce();
    const [a, b] = [await make(), await make()];
    const details = await getRuleSet(admin(), { version: await inForce(), against: from });
    expect(details.changes.map(({ kind, id }) => [kind, id])).toEqual([
      ["added", a.id],
      ["added", b.id],
    ]);
    expect(await getRuleSet(admin(), { version: 0 })).toMatchObject({ against: null, rules: [], changes: [] });
  });
});

describe("rule_set.restore", () => {
  fiveCases({
    command: restoreRules,
    allowed: async () => {
      const kept = await make();
      const version = await inForce();
      const edited = await change(kept, { name: unique("rule"), condition: "size(recipients) > 9", people: 1 });
      const added = await make();
      const current = await inForce();
      return {
        actor: admin(),
        input: { version, current, reason: "It asked too much." },
        check: async (given) => {
          const answer = given as { version: number };
          expect(answer).toEqual({ version: current + 1, restores: version });
          const now = await getRuleSet(admin(), { version: answer.version, against: version });
          expect(now).toMatchObject({ isCurrent: true, restores: version, reason: "It asked too much.", changes: [] });
          expect(await getRule(admin(), { id: kept.id })).toMatchObject({
            name: kept.name,
            condition: kept.condition,
            people: 2,
            version: edited.version + 1,
          });
          expect(await getRule(admin(), { id: added.id })).toMatchObject({ enabled: false });
          const [entry] = (await recorded(two.ours.id, "rules.restored")).slice(-1);
          expect(entry?.document.fields).toEqual({
            restores: version,
            ruleVersion: answer.version,
            added: 0,
            removed: 1,
            changed: 1,
          });
          expect(JSON.stringify(entry)).not.toContain("asked too much");
        },
      };
    },
    invalid: async () => ({ actor: admin(), input: { version: 3, current: 3, reason: "Why." }, field: "version" }),
    forbidden: async () => ({
      actors: outsiders(two.ours),
      input: { version: 0, current: await inForce(), reason: "Why." },
    }),
    otherOrganization: null,
    conflict: async () => {
      const current = await inForce();
      await make();
      return { actor: admin(), input: { version: 0, current, reason: "Why." }, reason: "stale_version" };
    },
  });

  it("asks why", async () => {
    const wanted = { version: 0, current: await inForce() } as never;
    await expect(restoreRules(admin(), wanted)).rejects.toMatchObject({ code: "invalid" });
  });

  it("gives rules that swapped their names their own back", async () => {
    const [a, b] = [await make(), await make()];
    const version = await inForce();
    const spare = await change(a, { name: unique("rule") });
    const swapped = await change(b, { name: a.name });
    await change(spare, { name: b.name });
    expect(swapped.name).toBe(a.name);
    await restoreRules(admin(), { version, current: await inForce(), reason: "As before." });
    expect([(await getRule(admin(), { id: a.id })).name, (await getRule(admin(), { id: b.id })).name]).toEqual([
      a.name,
      b.name,
    ]);
  });

  it("is a conflict, and changes nothing, where another rule has the name that would come back", async () => {
    const rule = await make();
    const version = await inForce();
    const renamed = await change(rule, { name: unique("rule") });
    await createRule(admin(), { ...input(), name: rule.name });
    const current = await inForce();
    await expect(restoreRules(admin(), { version, current, reason: "As before." })).rejects.toMatchObject({
      code: "conflict",
      details: { reason: "already_exists" },
    });
    expect(await inForce()).toBe(current);
    expect((await getRule(admin(), { id: rule.id })).name).toBe(renamed.name);
  });

  it("of many at once happens once, and the others hear of a conflict", async () => {
    const version = await inForce();
    await make();
    const current = await inForce();
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, () => restoreRules(admin(), { version, current, reason: "At once." })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await inForce()).toBe(current + 1);
  });

  it("to what is in force already is a conflict", async () => {
    const rule = await make();
    const version = await inForce();
    await change(await change(rule, { people: 1 }), { people: 2 });
    await expect(
      restoreRules(admin(), { version, current: await inForce(), reason: "Nothing." }),
    ).rejects.toMatchObject({ details: { reason: "nothing_changes" } });
  });
});
