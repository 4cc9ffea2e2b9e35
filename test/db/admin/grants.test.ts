import { describe, expect, it } from "vitest";
import { changeGrant } from "@/server/services/grants/change";
import { createGrant } from "@/server/services/grants/create";
import { getGrant } from "@/server/services/grants/get";
import { listGrants } from "@/server/services/grants/list";
import { revokeGrant } from "@/server/services/grants/revoke";
import { fiveCases } from "@/test/support/five-cases";
import { makeMail, makeWeb, outsiders, recorded, twoOrganizations } from "./fixture";

const two = twoOrganizations();
const DAY_MS = 86_400_000;
const admin = () => two.ours.admin.actor;
const web = { methods: ["GET"], schemes: ["https"], hosts: ["api.example.com"], ports: [443], pathPrefixes: ["/v1"] };
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const daysUntil = (at: Date | null) => Math.round(((at?.getTime() ?? 0) - Date.now()) / DAY_MS);

const readInput = async () => ({
  agentId: two.ours.agent.id,
  connectionId: (await makeWeb(two.ours)).id,
  actions: ["http.request"],
  allow: { "http.request": web },
});
const writeInput = async () => ({
  agentId: two.ours.agent.id,
  connectionId: (await makeMail(two.ours)).id,
  actions: ["email.send"],
  access: "write" as const,
  maxRisk: "medium" as const,
  allow: { "email.send": { domains: [".example"] } },
});
const make = async () => createGrant(admin(), await readInput());

describe("grant.create", () => {
  fiveCases({
    command: createGrant,
    allowed: async () => ({
      actor: admin(),
      input: await readInput(),
      check: async (answer) => {
        expect(answer).toMatchObject({
          ...{ access: "read", maxRisk: "low", perMinute: 60, perHour: 600, perDay: 5_000, expiresAt: null },
          allow: { "http.request": { ...web, headers: [] } },
          version: 1,
        });
        const [entry] = (await recorded(two.ours.id, "grant.created")).slice(-1);
        expect(entry?.document.fields).toMatchObject({ access: "read", actions: ["http.request"] });
      },
    }),
    invalid: async () => ({
      actor: admin(),
      input: { ...(await readInput()), allow: { "http.request": { ...web, ports: [0] } } },
      field: "allow.http.request.ports[0]",
    }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: await readInput() }),
    otherOrganization: async () => ({
      actor: admin(),
      input: { ...(await readInput()), connectionId: (await makeWeb(two.theirs)).id },
      code: "invalid",
    }),
    conflict: async () => {
      const input = await readInput();
      for (let i = 0; i < 20; i += 1) await createGrant(admin(), input);
      return { actor: admin(), input, reason: "too_many" };
    },
  });

  it("reads unless writing is asked for, and then ends after 30 days or within a year", async () => {
    const input = await writeInput();
    const { access: _write, ...unasked } = input;
    const refused = { code: "invalid", details: { field: "actions[0]" } };
    await expect(createGrant(admin(), unasked)).rejects.toMatchObject(refused);
    expect(daysUntil((await createGrant(admin(), input)).expiresAt)).toBe(30);
    expect(daysUntil((await createGrant(admin(), { ...input, expiresAt: inDays(300) })).expiresAt)).toBe(300);
    for (const expiresAt of [inDays(400), inDays(-1)]) {
      await expect(createGrant(admin(), { ...input, expiresAt })).rejects.toMatchObject({
        details: { field: "expiresAt" },
      });
    }
  });

  it("refuses actions that the connection cannot perform, and lists for actions that are not granted", async () => {
    const input = await readInput();
    const refuses = (more: object, field: string) =>
      expect(createGrant(admin(), { ...input, ...more })).rejects.toMatchObject({
        code: "invalid",
        details: { field },
      });
    await refuses({ actions: ["email.send"], allow: {} }, "actions[0]");
    await refuses({ actions: ["http.dance"], allow: {} }, "actions[0]");
    await refuses({ allow: { "email.send": {} } }, "allow");
    await refuses({ allow: { "http.request": { hostz: [] } } }, "allow.http.request.hostz");
  });

  it("keeps an empty list empty: nothing is allowed by leaving it out", async () => {
    const { connectionId, agentId } = await readInput();
    const grant = await createGrant(admin(), { agentId, connectionId, actions: ["http.request"] });
    expect(grant.allow).toEqual({});
  });
});

describe("grant.change", () => {
  fiveCases({
    command: changeGrant,
    allowed: async () => {
      const { id } = await make();
      return {
        actor: admin(),
        input: { id, version: 1, perDay: 100, allow: { "http.request": { ...web, hosts: ["other.example.com"] } } },
        check: async (answer) => {
          expect(answer).toMatchObject({ version: 2, perDay: 100, perMinute: 60, access: "read" });
          const [entry] = (await recorded(two.ours.id, "grant.changed")).slice(-1);
          expect(entry?.document.fields).toMatchObject({ grant: id, changed: ["allow", "perDay"], version: 2 });
          expect(JSON.stringify(entry)).not.toContain("other.example.com");
        },
      };
    },
    invalid: async () => ({
      actor: admin(),
      input: { id: (await make()).id, version: 1, maxRisk: "none" },
      field: "maxRisk",
    }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { id: (await make()).id, version: 1 } }),
    otherOrganization: async () => ({ actor: two.theirs.owner.actor, input: { id: (await make()).id, version: 1 } }),
    conflict: async () => {
      const { id } = await make();
      await changeGrant(admin(), { id, version: 1, perDay: 10 });
      return { actor: admin(), input: { id, version: 1, perDay: 20 }, reason: "stale_version" };
    },
  });

  it("gives a grant that comes to write an end, and lets none that writes lose it", async () => {
    const { id } = await make();
    const changed = await changeGrant(admin(), { id, version: 1, access: "write" });
    expect(daysUntil(changed.expiresAt)).toBe(30);
    await expect(changeGrant(admin(), { id, version: 2, expiresAt: null })).rejects.toMatchObject({
      details: { field: "expiresAt" },
    });
  });
});

describe("grant.revoke", () =>
  fiveCases({
    command: revokeGrant,
    allowed: async () => ({
      actor: admin(),
      input: { id: (await make()).id },
      check: (answer) => expect(answer).toMatchObject({ version: 2, revokedAt: expect.any(Date) }),
    }),
    invalid: async () => ({ actor: admin(), input: { id: 7 }, field: "id" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { id: (await make()).id } }),
    otherOrganization: async () => ({ actor: two.theirs.owner.actor, input: { id: (await make()).id } }),
    conflict: async () => {
      const { id } = await make();
      await revokeGrant(admin(), { id });
      await expect(changeGrant(admin(), { id, version: 2, perDay: 1 })).rejects.toMatchObject({ code: "conflict" });
      return { actor: admin(), input: { id }, reason: "grant_revoked" };
    },
  }));

describe("grant.get and grant.list", () => {
  fiveCases({
    command: getGrant,
    allowed: async () => ({ actor: two.ours.approver.actor, input: { id: (await make()).id } }),
    invalid: async () => ({ actor: admin(), input: { id: "" }, field: "id" }),
    forbidden: async () => ({
      actors: [two.ours.member.actor, two.ours.agent.actor],
      input: { id: (await make()).id },
    }),
    otherOrganization: async () => ({ actor: two.theirs.owner.actor, input: { id: (await make()).id } }),
    conflict: null,
  });

  it("list by connection, and nothing of another organization", async () => {
    const grant = await make();
    const of = { connectionId: grant.connectionId };
    expect((await listGrants(admin(), of)).items.map(({ id }) => id)).toEqual([grant.id]);
    expect((await listGrants(two.theirs.owner.actor, of)).items).toEqual([]);
  });
});
