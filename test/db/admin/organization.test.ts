import { describe, expect, it } from "vitest";
import { changeOrganization } from "@/server/services/organizations/change";
import { getOrganization } from "@/server/services/organizations/get";
import { fiveCases } from "@/test/support/five-cases";
import { outsiders, recorded, twoOrganizations } from "./fixture";

const two = twoOrganizations();
const admin = () => two.ours.admin.actor;
const version = async () => (await getOrganization(admin(), {})).version;

describe("organization.change", () =>
  fiveCases({
    command: changeOrganization,
    allowed: async () => ({
      actor: admin(),
      input: { version: await version(), undoSeconds: 300 },
      check: async (answer) => {
        expect(answer).toMatchObject({ id: two.ours.id, undoSeconds: 300 });
        const [entry] = (await recorded(two.ours.id, "organization.changed")).slice(-1);
        expect(entry?.document.fields).toMatchObject({ changed: ["undoSeconds"], from: ["60"], to: ["300"] });
        expect(await getOrganization(two.theirs.admin.actor, {})).toMatchObject({ undoSeconds: 60, version: 1 });
      },
    }),
    invalid: async () => ({
      actor: admin(),
      input: { version: await version(), undoSeconds: 59 },
      field: "undoSeconds",
    }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { version: await version(), name: "Ours" } }),
    otherOrganization: null,
    conflict: async () => {
      const seen = await version();
      await changeOrganization(admin(), { version: seen, name: "Renamed" });
      return { actor: admin(), input: { version: seen, name: "Again" }, reason: "stale_version" };
    },
  }));

describe("an approval's life", () => {
  it("is the organization's to set, within bounds, and each change is in the log", async () => {
    const life = { escalateAfterMinutes: 0, slackMaxRisk: "low" as const };
    expect(await getOrganization(admin(), {})).toMatchObject({ escalateAfterMinutes: 15, slackMaxRisk: "medium" });
    expect(await changeOrganization(admin(), { version: await version(), ...life })).toMatchObject(life);
    const [entry] = (await recorded(two.ours.id, "organization.changed")).slice(-1);
    expect(entry?.document.fields).toMatchObject({ from: ["15", "medium"], to: ["0", "low"] });
    for (const wrong of [{ escalateAfterMinutes: -1 }, { escalateAfterMinutes: 10_081 }, { slackMaxRisk: "high" }])
      await expect(changeOrganization(admin(), { version: await version(), ...wrong } as never)).rejects.toMatchObject({
        code: "invalid",
      });
  });
});

describe("organization.get", () => {
  it("answers every member with their own organization, and no agent", async () => {
    expect(await getOrganization(two.ours.member.actor, {})).toMatchObject({ id: two.ours.id });
    await expect(getOrganization(two.ours.agent.actor, {})).rejects.toMatchObject({ code: "forbidden" });
  });
});
