import { describe, expect, it } from "vitest";
import { changeAgent } from "@/server/services/agents/change";
import { createAgent } from "@/server/services/agents/create";
import { getAgent } from "@/server/services/agents/get";
import { listAgents } from "@/server/services/agents/list";
import { pauseAgent } from "@/server/services/agents/pause";
import { resumeAgent } from "@/server/services/agents/resume";
import { createDepartment } from "@/server/services/departments/create";
import { renameDepartment } from "@/server/services/departments/rename";
import { fiveCases } from "@/test/support/five-cases";
import { outsiders, recorded, twoOrganizations, unique } from "./fixture";

const two = twoOrganizations();
const make = () => createAgent(two.ours.admin.actor, { name: unique("agent") });
const admin = () => two.ours.admin.actor;

describe("agent.create", () =>
  fiveCases({
    command: createAgent,
    allowed: async () => ({
      actor: admin(),
      input: { name: "Order desk", ownerId: two.ours.agentOwner.id },
      check: async (answer) => {
        expect(answer).toMatchObject({ name: "Order desk", autonomy: "supervised", ownerId: two.ours.agentOwner.id });
        const [entry] = (await recorded(two.ours.id, "agent.created")).slice(-1);
        expect(entry?.document.fields).toMatchObject({ name: "Order desk", owner: two.ours.agentOwner.id });
      },
    }),
    invalid: async () => ({ actor: admin(), input: { name: unique("a"), autonomy: "god" }, field: "autonomy" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { name: unique("a") } }),
    otherOrganization: async () => ({
      actor: admin(),
      input: { name: unique("a"), ownerId: two.theirs.owner.id },
      code: "invalid",
    }),
    conflict: async () => ({ actor: admin(), input: { name: (await make()).name }, reason: "already_exists" }),
  }));

describe("agent.change", () =>
  fiveCases({
    command: changeAgent,
    allowed: async () => {
      const { id } = await make();
      const department = await createDepartment(admin(), { name: unique("Sales") });
      return {
        actor: admin(),
        input: { id, version: 1, autonomy: "suggest", departmentId: department.id, readOnly: true },
        check: async (answer) => {
          expect(answer).toMatchObject({
            autonomy: "suggest",
            department: department.name,
            readOnly: true,
            version: 2,
          });
          const [entry] = (await recorded(two.ours.id, "agent.changed")).slice(-1);
          expect(entry?.document.fields).toMatchObject({
            changed: ["departmentId", "autonomy", "readOnly"],
            from: ["", "supervised", "false"],
            to: [department.id, "suggest", "true"],
          });
        },
      };
    },
    invalid: async () => ({
      actor: admin(),
      input: { id: (await make()).id, version: 1, pendingLimit: 0 },
      field: "pendingLimit",
    }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { id: (await make()).id, version: 1 } }),
    otherOrganization: async () => ({ actor: two.theirs.owner.actor, input: { id: (await make()).id, version: 1 } }),
    conflict: async () => {
      const { id } = await make();
      await changeAgent(admin(), { id, version: 1, name: unique("renamed") });
      return { actor: admin(), input: { id, version: 1, name: unique("again") }, reason: "stale_version" };
    },
  }));

describe("agent.pause", () =>
  fiveCases({
    command: pauseAgent,
    allowed: async () => ({
      actor: admin(),
      input: { id: (await make()).id },
      check: (answer) => expect(answer).toMatchObject({ pausedAt: expect.any(Date), pausedBy: two.ours.admin.id }),
    }),
    invalid: async () => ({ actor: admin(), input: { id: "agt_1" }, field: "id" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { id: (await make()).id } }),
    otherOrganization: async () => ({ actor: two.theirs.owner.actor, input: { id: (await make()).id } }),
    conflict: async () => {
      const { id } = await make();
      await pauseAgent(admin(), { id });
      return { actor: admin(), input: { id }, reason: "already_paused" };
    },
  }));

describe("agent.resume", () =>
  fiveCases({
    command: resumeAgent,
    allowed: async () => {
      const { id } = await make();
      await pauseAgent(admin(), { id });
      return {
        actor: two.ours.owner.actor,
        input: { id },
        check: (answer) => expect(answer).toMatchObject({ pausedAt: null, pausedBy: null, version: 3 }),
      };
    },
    invalid: async () => ({ actor: admin(), input: {}, field: "id" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { id: (await make()).id } }),
    otherOrganization: async () => ({ actor: two.theirs.owner.actor, input: { id: (await make()).id } }),
    conflict: async () => ({ actor: admin(), input: { id: (await make()).id }, reason: "not_paused" }),
  }));

describe("agent.get", () =>
  fiveCases({
    command: getAgent,
    allowed: async () => {
      const { id } = await make();
      return { actor: two.ours.member.actor, input: { id }, check: (answer) => expect(answer).toMatchObject({ id }) };
    },
    invalid: async () => ({ actor: admin(), input: { id: two.ours.owner.id }, field: "id" }),
    forbidden: async () => ({ actors: [two.ours.agent.actor], input: { id: two.ours.agent.id } }),
    otherOrganization: async () => ({ actor: two.theirs.owner.actor, input: { id: (await make()).id } }),
    conflict: null,
  }));

describe("department.create", () =>
  fiveCases({
    command: createDepartment,
    allowed: async () => ({ actor: admin(), input: { name: unique("Support") } }),
    invalid: async () => ({ actor: admin(), input: { name: "two\nlines" }, field: "name" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { name: unique("Support") } }),
    otherOrganization: null,
    conflict: async () => {
      const { name } = await createDepartment(admin(), { name: unique("Support") });
      return { actor: admin(), input: { name }, reason: "already_exists" };
    },
  }));

describe("department.rename", () => {
  const makeDepartment = () => createDepartment(admin(), { name: unique("Desk") });
  fiveCases({
    command: renameDepartment,
    allowed: async () => ({ actor: admin(), input: { id: (await makeDepartment()).id, name: unique("Renamed") } }),
    invalid: async () => ({ actor: admin(), input: { id: (await makeDepartment()).id, name: "" }, field: "name" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { id: (await makeDepartment()).id, name: "x" } }),
    otherOrganization: async () => ({
      actor: two.theirs.owner.actor,
      input: { id: (await makeDepartment()).id, name: "x" },
    }),
    conflict: async () => {
      const [one, other] = [await makeDepartment(), await makeDepartment()];
      return { actor: admin(), input: { id: one.id, name: other.name }, reason: "already_exists" };
    },
  });
});

describe("agent.list", () => {
  it("pages through every agent of one organization exactly once, and none of another", async () => {
    const names = [];
    for (let i = 0; i < 5; i += 1) names.push((await createAgent(two.theirs.admin.actor, { name: unique("p") })).name);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listAgents(
        two.theirs.member.actor,
        cursor === undefined ? { limit: 2 } : { limit: 2, cursor },
      );
      seen.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(new Set(seen).size);
    expect(seen.slice(0, 5)).toEqual(names.reverse());
    expect(seen).toHaveLength(6);
  });

  it("holds no column of a key or a password", async () => {
    const { items } = await listAgents(admin(), {});
    expect(JSON.stringify(items)).not.toMatch(/hash|secret|email/i);
  });
});
