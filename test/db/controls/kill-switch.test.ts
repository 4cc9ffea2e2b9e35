import pg from "pg";
import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { env, overrideEnv } from "@/server/env";
import { activateKillSwitch } from "@/server/services/controls/activate-kill-switch";
import { getControls } from "@/server/services/controls/get";
import { listControlChanges } from "@/server/services/controls/list-changes";
import { releaseKillSwitch } from "@/server/services/controls/release-kill-switch";
import { outsiders, recorded, twoOrganizations } from "@/test/db/admin/fixture";
import { TEST_ENV } from "@/test/support/env";
import { fiveCases } from "@/test/support/five-cases";
import { type TestOrganization, testOrganization } from "@/test/support/organization";

const two = twoOrganizations();
const REASON = "Odd mails are going out.";
const frozen = async (level: "freeze" | "lockdown" = "freeze") => {
  const organization = await testOrganization();
  const { version } = await activateKillSwitch(organization.admin.actor, { level, reason: REASON });
  return { organization, version };
};
const levelOf = async (organization: TestOrganization) => {
  const { killSwitch } = await getControls(organization.member.actor, {});
  return killSwitch?.level ?? null;
};

describe("control.activate", () => {
  fiveCases({
    command: activateKillSwitch,
    allowed: async () => {
      const organization = await testOrganization();
      return {
        actor: organization.admin.actor,
        input: { level: "freeze", reason: REASON },
        check: async (answer) => {
          expect(answer).toEqual({ version: 2 });
          expect(await getControls(organization.member.actor, {})).toMatchObject({
            version: 2,
            killSwitch: { level: "freeze", by: organization.admin.id, at: expect.any(Date), reason: REASON },
          });
          const [entry] = await recorded(organization.id, "control.activated");
          expect(entry?.document.fields).toEqual({ level: "freeze", version: 2 });
        },
      };
    },
    invalid: async () => ({ actor: two.ours.admin.actor, input: { level: "melt", reason: REASON }, field: "level" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { level: "freeze", reason: REASON } }),
    otherOrganization: null,
    conflict: async () => {
      const { organization } = await frozen("lockdown");
      const input = { level: "freeze", reason: REASON };
      return { actor: organization.owner.actor, input, reason: "already_stricter" };
    },
  });

  it("turns a freeze into a lockdown, and leaves other organizations alone", async () => {
    const { organization } = await frozen();
    await activateKillSwitch(organization.owner.actor, { level: "lockdown", reason: "It is worse." });
    expect(await levelOf(organization)).toBe("lockdown");
    expect(await levelOf(two.theirs)).toBeNull();
  });

  it("stops without a key for the vault too: the reason is not kept, the stop is", async () => {
    const organization = await testOrganization();
    overrideEnv({ CONNECTIONS_KEK: undefined });
    try {
      await activateKillSwitch(organization.admin.actor, { level: "lockdown", reason: REASON });
      expect(await getControls(organization.admin.actor, {})).toMatchObject({
        killSwitch: { level: "lockdown", reason: null },
      });
    } finally {
      overrideEnv({ CONNECTIONS_KEK: TEST_ENV.CONNECTIONS_KEK });
    }
  });

  it("keeps its reason under seal, out of the log, and bound to its place", async () => {
    const { organization } = await frozen();
    const { rows } = await withOrgSql(organization.id, (q) =>
      q.query<{ kill_reason: Buffer; sealed_reason: Buffer }>(
        "SELECT s.kill_reason, c.sealed_reason FROM control_state s, control_change c",
      ),
    );
    for (const bytes of Object.values(rows[0] ?? {})) expect(bytes.toString("latin1")).not.toContain("mails");
    expect(JSON.stringify(await recorded(organization.id, "control.activated"))).not.toContain("mails");
    await withOrgSql(organization.id, (q) =>
      q.query("UPDATE control_state SET kill_reason = $1", [rows[0]?.sealed_reason]),
    );
    expect((await getControls(organization.admin.actor, {})).killSwitch?.reason).toBeNull();
  });

  it("tells listening pages, by the organization's id alone", async () => {
    const organization = await testOrganization();
    const heard: unknown[] = [];
    const listener = new pg.Client({ connectionString: env().APP_DATABASE_URL });
    await listener.connect();
    try {
      listener.on("notification", ({ payload = "" }) => heard.push(JSON.parse(payload)));
      await listener.query("LISTEN countersign");
      await activateKillSwitch(organization.admin.actor, { level: "freeze", reason: REASON });
      await expect.poll(() => heard).toEqual([{ o: organization.id, k: "control", i: organization.id }]);
    } finally {
      await listener.end();
    }
  });
});

describe("control.release", () => {
  fiveCases({
    command: releaseKillSwitch,
    allowed: async () => {
      const { organization, version } = await frozen("lockdown");
      return {
        actor: organization.owner.actor,
        input: { version, reason: "The agent was fixed." },
        check: async (answer) => {
          expect(answer).toEqual({ version: version + 1 });
          expect(await levelOf(organization)).toBeNull();
          const { items } = await listControlChanges(organization.member.actor, {});
          expect(items).toMatchObject([
            { version: 3, control: "kill_switch", level: "lockdown", enabled: false, reason: "The agent was fixed." },
            { version: 2, control: "kill_switch", level: "lockdown", enabled: true, reason: REASON },
          ]);
        },
      };
    },
    invalid: async () => {
      const { organization, version } = await frozen();
      return { actor: organization.owner.actor, input: { version, reason: " " }, field: "reason" };
    },
    forbidden: async () => {
      const { organization, version } = await frozen();
      const { admin } = organization;
      return { actors: [admin.actor, ...outsiders(organization)], input: { version, reason: "Please." } };
    },
    otherOrganization: null,
    conflict: async () => {
      const { organization, version } = await frozen();
      await activateKillSwitch(organization.admin.actor, { level: "freeze", reason: "Again, for another cause." });
      return {
        actor: organization.owner.actor,
        input: { version, reason: "The first is done." },
        reason: "stale_version",
      };
    },
  });

  it("finds nothing to lift when nothing is active", async () => {
    const { owner } = await testOrganization();
    await expect(releaseKillSwitch(owner.actor, { version: 1, reason: "Why not." })).rejects.toMatchObject({
      code: "conflict",
      details: { reason: "not_active" },
    });
  });

  it("needs the vault: a lifting whose reason cannot be kept does not happen", async () => {
    const { organization, version } = await frozen();
    overrideEnv({ CONNECTIONS_KEK: undefined });
    try {
      await expect(releaseKillSwitch(organization.owner.actor, { version, reason: "Done." })).rejects.toMatchObject({
        code: "unavailable",
      });
    } finally {
      overrideEnv({ CONNECTIONS_KEK: TEST_ENV.CONNECTIONS_KEK });
    }
    expect(await levelOf(organization)).toBe("freeze");
  });
});

describe("activations and releases at once", () => {
  it("never let an older release erase a newer activation", async () => {
    const organization = await testOrganization();
    const released: number[] = [];
    const activate = (i: number) =>
      activateKillSwitch(organization.admin.actor, { level: "freeze", reason: `Cause ${i}.` });
    const release = async () => {
      const { version: seen, killSwitch } = await getControls(organization.owner.actor, {});
      if (killSwitch === null) return;
      await releaseKillSwitch(organization.owner.actor, { version: seen, reason: `Saw ${seen}.` });
      released.push(seen);
    };
    await activate(0);
    const work = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? activate(i) : release()));
    const failed = (await Promise.allSettled(work)).filter((result) => result.status === "rejected");
    for (const { reason } of failed)
      expect(reason).toMatchObject({ code: "conflict", details: { reason: "stale_version" } });
    const { items } = await listControlChanges(organization.owner.actor, { limit: 100 });
    const changes = [...items].reverse();
    expect(changes.map(({ version }) => version)).toEqual(changes.map((_, i) => i + 2));
    expect(changes.filter(({ enabled }) => enabled)).toHaveLength(11);
    for (const { version, enabled, reason } of changes) if (!enabled) expect(reason).toBe(`Saw ${version - 1}.`);
    expect(changes.filter(({ enabled }) => !enabled)).toHaveLength(released.length);
    expect(await levelOf(organization)).toBe(changes.at(-1)?.enabled ? "freeze" : null);
  });
});
