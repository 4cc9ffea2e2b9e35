import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { deploymentLevel, leaseDeploymentLevel } from "@/server/db/deployment-control";
import { withOrgSql } from "@/server/db/with-org";
import { overrideEnv } from "@/server/env";
import { activateKillSwitch } from "@/server/services/controls/activate-kill-switch";
import { type DeploymentLease, startDeploymentLease } from "@/server/services/controls/deployment-lease";
import { getControls } from "@/server/services/controls/get";
import { releaseKillSwitch } from "@/server/services/controls/release-kill-switch";
import { submitToolRequest } from "@/server/services/requests/submit";
import { recorded, twoOrganizations } from "@/test/db/admin/fixture";
import { registerTestTools, type TestGrant, testGrant } from "@/test/support/test-tools";

const two = twoOrganizations();
const POLL = { timeout: 10_000, interval: 50 };
const running: DeploymentLease[] = [];
let grant: TestGrant;

/** As a process with this level in its environment. A short lease, so that its end can be waited for. */
async function replica(level: "freeze" | "lockdown" | undefined): Promise<DeploymentLease> {
  overrideEnv({ KILL_SWITCH: level });
  const lease = await startDeploymentLease({ renewMs: 100, leaseS: 1 });
  overrideEnv({ KILL_SWITCH: undefined });
  running.push(lease);
  return lease;
}

const submit = (action: string) =>
  submitToolRequest(two.ours.agent.actor, { action, connection: grant.connectionId, arguments: { target: "a" } });
const outcomeOf = async (action: string): Promise<string> =>
  submit(action).then(
    ({ status }) => status,
    ({ details }: { details: { reason: string } }) => details.reason,
  );

beforeAll(async () => {
  registerTestTools();
  grant = await testGrant(two.ours, join(mkdtempSync(join(tmpdir(), "countersign-lease-")), "effects"));
  await withOrgSql(two.ours.id, (q) =>
    q.query("UPDATE agent SET autonomy = 'autonomous' WHERE id = $1", [two.ours.agent.id]),
  );
});
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ stop }) => stop()));
  await expect.poll(deploymentLevel, POLL).toBeNull();
});

describe("a kill switch in the environment", () => {
  it("that is not set takes no lease", async () => {
    await replica(undefined);
    expect(await deploymentLevel()).toBeNull();
    expect(await outcomeOf("test.write")).toBe("succeeded");
  });

  it("freezes every replica: reads go on, effects are refused", async () => {
    await replica("freeze");
    expect(await outcomeOf("test.read")).toBe("succeeded");
    expect(await outcomeOf("test.write")).toBe("deployment_frozen");
    expect(await getControls(two.ours.member.actor, {})).toMatchObject({ killSwitch: null, deploymentLevel: "freeze" });
  });

  it("locks every replica down: reads are refused too", async () => {
    await replica("lockdown");
    expect(await outcomeOf("test.read")).toBe("deployment_locked_down");
    expect(await outcomeOf("test.write")).toBe("deployment_locked_down");
  });

  it("counts by its strictest level while replicas disagree", async () => {
    const strict = await replica("lockdown");
    await replica("freeze");
    expect(await deploymentLevel()).toBe("lockdown");
    await strict.stop();
    await expect.poll(deploymentLevel, POLL).toBe("freeze");
  });

  it("holds as long as its process renews it, and runs out by the database's clock when the process is gone", async () => {
    const lease = await replica("freeze");
    const start = Date.now();
    await expect.poll(() => Date.now() - start, POLL).toBeGreaterThan(1_500);
    expect(await deploymentLevel()).toBe("freeze");
    await lease.stop();
    expect(await deploymentLevel()).toBe("freeze");
    await expect.poll(deploymentLevel, POLL).toBeNull();
    expect(await outcomeOf("test.write")).toBe("succeeded");
  });

  it("is lifted by no call", async () => {
    await replica("freeze");
    const { version } = await activateKillSwitch(two.ours.admin.actor, { level: "freeze", reason: "Both." });
    await releaseKillSwitch(two.ours.owner.actor, { version, reason: "Ours is done." });
    expect(await outcomeOf("test.write")).toBe("deployment_frozen");
    await expect(withOrgSql(two.ours.id, (q) => q.query("DELETE FROM deployment_control"))).rejects.toMatchObject({
      code: "42501",
    });
  });

  it("leaves an entry in the log of every organization", async () => {
    await (await replica("lockdown")).stop();
    for (const { id } of [two.ours, two.theirs]) {
      const [entry] = (await recorded(id, "deployment.kill_switch")).slice(-1);
      expect(entry?.document.fields).toMatchObject({ level: "lockdown" });
    }
  });

  it("takes one row a replica, however often it is renewed", async () => {
    const lease = { replica: "one", level: "freeze", leaseS: 1 } as const;
    for (let i = 0; i < 3; i += 1) await leaseDeploymentLevel(lease);
    const { rows } = await withOrgSql(two.ours.id, (q) =>
      q.query<{ n: string }>("SELECT count(*) AS n FROM deployment_control WHERE replica = 'one'"),
    );
    expect(rows[0]?.n).toBe("1");
  });
});
