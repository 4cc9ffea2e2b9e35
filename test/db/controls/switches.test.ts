import { describe, expect, it } from "vitest";
import { getControls } from "@/server/services/controls/get";
import { setReadOnly } from "@/server/services/controls/set-read-only";
import { switchAction } from "@/server/services/controls/switch-action";
import { outsiders, recorded, twoOrganizations } from "@/test/db/admin/fixture";
import { fiveCases } from "@/test/support/five-cases";

const two = twoOrganizations();
const admin = () => two.ours.admin.actor;
const reason = "Stocktaking.";
const controls = () => getControls(two.ours.member.actor, {});

describe("control.set_read_only", () => {
  fiveCases({
    command: setReadOnly,
    allowed: async () => ({
      actor: admin(),
      input: { enabled: true, reason },
      check: async (answer) => {
        expect(await controls()).toMatchObject({ readOnly: true, ...(answer as object) });
        const [entry] = (await recorded(two.ours.id, "control.changed")).slice(-1);
        expect(entry?.document.fields).toMatchObject({ control: "read_only", enabled: true });
      },
    }),
    invalid: async () => ({ actor: admin(), input: { enabled: "yes", reason }, field: "enabled" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { enabled: false, reason } }),
    otherOrganization: null,
    conflict: null,
  });

  it("changes nothing and records nothing when it is so already", async () => {
    await setReadOnly(admin(), { enabled: true, reason });
    const before = [(await controls()).version, (await recorded(two.ours.id, "control.changed")).length];
    expect(await setReadOnly(admin(), { enabled: true, reason })).toEqual({ version: before[0] });
    expect((await recorded(two.ours.id, "control.changed")).length).toBe(before[1]);
    expect((await getControls(two.theirs.member.actor, {})).readOnly).toBe(false);
  });
});

describe("control.switch_action", () => {
  fiveCases({
    command: switchAction,
    allowed: async () => ({
      actor: admin(),
      input: { action: "email.send", enabled: false, reason },
      check: async () => {
        expect((await controls()).actionsOff).toEqual(["email.send"]);
        const [entry] = (await recorded(two.ours.id, "control.changed")).slice(-1);
        expect(entry?.document.fields).toMatchObject({ control: "action", subject: "email.send", enabled: false });
      },
    }),
    invalid: async () => ({ actor: admin(), input: { action: "email.*", enabled: false, reason }, field: "action" }),
    forbidden: async () => ({ actors: outsiders(two.ours), input: { action: "email.send", enabled: true, reason } }),
    otherOrganization: null,
    conflict: null,
  });

  it("knows actions and whole tools, and nothing else", async () => {
    await switchAction(admin(), { action: "http", enabled: false, reason });
    expect((await controls()).actionsOff).toContain("http");
    await switchAction(admin(), { action: "http", enabled: true, reason });
    expect((await controls()).actionsOff).not.toContain("http");
    await expect(switchAction(admin(), { action: "fax.send", enabled: false, reason })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  it("loses none of twenty changes made at once", async () => {
    const actor = two.theirs.admin.actor;
    const actions = ["email.send", "email", "http.request", "http"];
    const flip = (i: number) => switchAction(actor, { action: actions[i % 4] ?? "", enabled: i >= 16, reason });
    await Promise.all(Array.from({ length: 12 }, (_, i) => flip(i)));
    const { version, actionsOff } = await getControls(actor, {});
    expect(actionsOff).toEqual([...actions].sort());
    expect(version).toBe(5);
    await Promise.all(Array.from({ length: 8 }, (_, i) => flip(16 + (i % 4))));
    expect(await getControls(actor, {})).toMatchObject({ version: 9, actionsOff: [] });
  });
});
