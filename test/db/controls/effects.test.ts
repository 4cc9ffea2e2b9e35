import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { pauseAgent } from "@/server/services/agents/pause";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { activateKillSwitch } from "@/server/services/controls/activate-kill-switch";
import { getControls } from "@/server/services/controls/get";
import { releaseKillSwitch } from "@/server/services/controls/release-kill-switch";
import { setReadOnly } from "@/server/services/controls/set-read-only";
import { switchAction } from "@/server/services/controls/switch-action";
import { answerOf } from "@/server/services/requests/answer";
import { executeRequest } from "@/server/services/requests/execute";
import { submitToolRequest } from "@/server/services/requests/submit";
import { systemActor } from "@/server/services/system-actor";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { type TestOrganization, testOrganization } from "@/test/support/organization";
import { effectsIn, makeDue, registerTestTools, type TestGrant, testGrant } from "@/test/support/test-tools";

twoOrganizations();
const file = join(mkdtempSync(join(tmpdir(), "countersign-controls-")), "effects");
const reason = "A test.";
type Desk = { readonly org: TestOrganization; readonly grant: TestGrant };

/** An organization whose agent needs nobody for what can be taken back. */
async function desk(): Promise<Desk> {
  const org = await testOrganization();
  await withOrgSql(org.id, (q) => q.query("UPDATE agent SET autonomy = 'autonomous' WHERE id = $1", [org.agent.id]));
  return { org, grant: await testGrant(org, file) };
}
const submit = ({ org, grant }: Desk, action: string) =>
  submitToolRequest(org.agent.actor, { action, connection: grant.connectionId, arguments: { target: "a" } });
const execute = ({ org }: Desk, requestId: string) => executeRequest(systemActor(org.id, "test"), { requestId });
const performed = (requestId: string) => effectsIn(file).filter((line) => line.startsWith(requestId)).length;
const approve = async ({ org }: Desk, id: string) => {
  const { digest } = await getApproval(org.approver.actor, { id });
  return decideApproval(org.approver.actor, { id, decision: "approve", digest });
};
const stateOf = ({ org }: Desk, requestId: string) => answerOf(org.id, requestId);
const freeze = ({ org }: Desk, level: "freeze" | "lockdown" = "freeze") =>
  activateKillSwitch(org.admin.actor, { level, reason });

beforeAll(registerTestTools);

describe("a freeze", () => {
  it("sends what was ready or scheduled back, stops its clock, and starts it anew when it is lifted", async () => {
    const here = await desk();
    const [ready, scheduled] = [await submit(here, "test.final"), await submit(here, "test.undoable")];
    for (const answer of [ready, scheduled]) await approve(here, answer.approval?.id ?? "");
    const { version } = await freeze(here);
    for (const { id } of [ready, scheduled]) {
      await makeDue(here.org.id, id);
      expect(await execute(here, id)).toBe("skipped");
      expect(await stateOf(here, id)).toMatchObject({ status: "pending" });
    }
    await withOrgSql(here.org.id, (q) =>
      q.query("UPDATE approval SET expires_at = now() - interval '1 day' WHERE is_held"),
    );
    await releaseKillSwitch(here.org.owner.actor, { version, reason });
    const { rows } = await withOrgSql(here.org.id, (q) =>
      q.query<{ left: number; lifetime: number }>(
        `SELECT extract(epoch FROM expires_at - now())::float AS left, lifetime_seconds AS lifetime
         FROM approval WHERE status = 'pending' AND NOT is_held`,
      ),
    );
    expect(rows).toHaveLength(2);
    for (const { left, lifetime } of rows) expect(left).toBeGreaterThan(lifetime - 30);
    const again = await stateOf(here, ready.id);
    await approve(here, again.approval?.id ?? "");
    expect(await execute(here, ready.id)).toBe("ran");
    expect([performed(ready.id), performed(scheduled.id)]).toEqual([1, 0]);
  });

  it("refuses approving and lets reject, lets agents read and refuses their effects", async () => {
    const here = await desk();
    const waiting = await submit(here, "test.final");
    const id = waiting.approval?.id ?? "";
    await freeze(here);
    await expect(approve(here, id)).rejects.toMatchObject({ code: "conflict", details: { reason: "blocked" } });
    await expect(submit(here, "test.write")).rejects.toMatchObject({ code: "refused", details: { reason: "frozen" } });
    expect((await submit(here, "test.read")).status).toBe("succeeded");
    const { digest } = await getApproval(here.org.approver.actor, { id });
    await decideApproval(here.org.approver.actor, { id, decision: "reject", digest });
    expect((await stateOf(here, waiting.id)).status).toBe("rejected");
  });

  it("lets no claim through after it has been acknowledged, however many run at that moment", async () => {
    const here = await desk();
    const calls = Array.from({ length: 24 }, () => submit(here, "test.write"));
    const frozen = freeze(here);
    const results = await Promise.allSettled(calls);
    await frozen;
    const { rows } = await withOrgSql(here.org.id, (q) =>
      q.query<{ late: string }>(
        "SELECT count(*) AS late FROM tool_request r, control_state s WHERE r.claimed_at > s.kill_at",
      ),
    );
    expect(rows[0]?.late).toBe("0");
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ details: { reason: "frozen" } });
    }
    await expect(submit(here, "test.write")).rejects.toMatchObject({ details: { reason: "frozen" } });
  });
});

describe("other controls", () => {
  it("lock an agent out of reads too at a lockdown, a pause or a tool switched off", async () => {
    const refused = (reason: string) => ({ code: "refused", details: { reason } });
    const locked = await desk();
    await freeze(locked, "lockdown");
    await expect(submit(locked, "test.read")).rejects.toMatchObject(refused("locked_down"));
    const paused = await desk();
    await pauseAgent(paused.org.admin.actor, { id: paused.org.agent.id });
    await expect(submit(paused, "test.read")).rejects.toMatchObject(refused("agent_paused"));
    const off = await desk();
    await switchAction(off.org.admin.actor, { action: "test", enabled: false, reason });
    await expect(submit(off, "test.read")).rejects.toMatchObject(refused("tool_off"));
    await switchAction(off.org.admin.actor, { action: "test", enabled: true, reason });
    await switchAction(off.org.admin.actor, { action: "test.write", enabled: false, reason });
    expect((await submit(off, "test.read")).status).toBe("succeeded");
    await expect(submit(off, "test.write")).rejects.toMatchObject(refused("action_off"));
  });

  it("keep effects as proposals in read-only mode, and let reads run", async () => {
    const here = await desk();
    await setReadOnly(here.org.admin.actor, { enabled: true, reason });
    expect((await submit(here, "test.read")).status).toBe("succeeded");
    await expect(submit(here, "test.write")).rejects.toMatchObject({ details: { reason: "recorded_as_proposal" } });
    await setReadOnly(here.org.admin.actor, { enabled: false, reason });
    expect((await submit(here, "test.write")).status).toBe("succeeded");
    expect((await getControls(here.org.member.actor, {})).version).toBe(3);
  });
});
