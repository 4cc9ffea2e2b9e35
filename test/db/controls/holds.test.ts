import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { pauseAgent } from "@/server/services/agents/pause";
import { resumeAgent } from "@/server/services/agents/resume";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { activateKillSwitch } from "@/server/services/controls/activate-kill-switch";
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
const file = join(mkdtempSync(join(tmpdir(), "countersign-holds-")), "effects");
const reason = "A test.";
type Desk = { readonly org: TestOrganization; readonly grant: TestGrant };

beforeAll(registerTestTools);

async function desk(): Promise<Desk> {
  const org = await testOrganization();
  return { org, grant: await testGrant(org, file) };
}
const submit = ({ org, grant }: Desk, action = "test.final") =>
  submitToolRequest(org.agent.actor, { action, connection: grant.connectionId, arguments: { target: "a" } });
const shown = async ({ org }: Desk, requestId: string) => {
  const { approval } = await answerOf(org.id, requestId);
  return getApproval(org.approver.actor, { id: approval?.id ?? "" });
};
const approve = async (here: Desk, requestId: string) => {
  const { id, digest } = await shown(here, requestId);
  return decideApproval(here.org.approver.actor, { id, digest, decision: "approve" });
};
const execute = ({ org }: Desk, requestId: string) => executeRequest(systemActor(org.id, "test"), { requestId });
const over = ({ org }: Desk) =>
  withOrgSql(org.id, (q) =>
    q.query("UPDATE approval SET expires_at = now() - interval '1 day' WHERE status = 'pending'"),
  );

type Control = { readonly stop: (here: Desk) => Promise<unknown>; readonly lift: (here: Desk) => Promise<unknown> };
const pause: Control = {
  stop: ({ org }) => pauseAgent(org.admin.actor, { id: org.agent.id }),
  lift: ({ org }) => resumeAgent(org.admin.actor, { id: org.agent.id }),
};
const readOnly: Control = {
  stop: ({ org }) => setReadOnly(org.admin.actor, { enabled: true, reason }),
  lift: ({ org }) => setReadOnly(org.admin.actor, { enabled: false, reason }),
};
const off = (action: string): Control => ({
  stop: ({ org }) => switchAction(org.admin.actor, { action, enabled: false, reason }),
  lift: ({ org }) => switchAction(org.admin.actor, { action, enabled: true, reason }),
});

describe.each<[string, Control]>([
  ["a paused agent", pause],
  ["read-only mode", readOnly],
  ["an action that is off", off("test.final")],
  ["a tool that is off", off("test")],
])("%s", (_name, { stop, lift }) => {
  it("holds what waits and what was decided, whose time begins anew when it is lifted", async () => {
    const here = await desk();
    const [waits, decided] = [await submit(here), await submit(here)];
    await approve(here, decided.id);
    await makeDue(here.org.id, decided.id);
    await stop(here);
    expect(await execute(here, decided.id)).toBe("returned");
    expect(await shown(here, waits.id)).toMatchObject({ isHeld: true });
    expect(await shown(here, decided.id)).toMatchObject({ isHeld: true, blocked: { check: "controls" } });
    await over(here);
    await lift(here);
    for (const { id } of [waits, decided]) {
      const { isHeld, blocked, expiresAt } = await shown(here, id);
      expect({ isHeld, blocked }).toEqual({ isHeld: false, blocked: null });
      expect(expiresAt?.getTime()).toBeGreaterThan(Date.now() + 25 * 60_000);
    }
    expect(await approve(here, decided.id)).toMatchObject({ status: "approved" });
    await makeDue(here.org.id, decided.id);
    expect(await execute(here, decided.id)).toBe("ran");
    expect(effectsIn(file).filter((line) => line.startsWith(decided.id))).toHaveLength(1);
  });
});

describe("what two controls stop", () => {
  it("stays held until the last of them is lifted", async () => {
    const here = await desk();
    const { id } = await submit(here);
    await pause.stop(here);
    const { version } = await activateKillSwitch(here.org.admin.actor, { level: "freeze", reason });
    await releaseKillSwitch(here.org.owner.actor, { version, reason });
    expect(await shown(here, id)).toMatchObject({ isHeld: true });
    await pause.lift(here);
    expect(await shown(here, id)).toMatchObject({ isHeld: false });
  });

  it("of another organization or agent is not touched", async () => {
    const [here, there] = [await desk(), await desk()];
    const { id } = await submit(there);
    await pause.stop(here);
    expect(await shown(there, id)).toMatchObject({ isHeld: false });
  });
});

it("nothing stays held however holding and lifting meet", async () => {
  const here = await desk();
  await withOrgSql(here.org.id, (q) => q.query("UPDATE agent SET pending_limit = 100"));
  const asked = await Promise.all(Array.from({ length: 12 }, () => submit(here)));
  for (const { id } of asked) {
    await approve(here, id);
    await makeDue(here.org.id, id);
  }
  await pause.stop(here);
  await Promise.all([...asked.map(({ id }) => execute(here, id)), pause.lift(here)]);
  const { rows } = await withOrgSql(here.org.id, (q) =>
    q.query("SELECT 1 FROM approval WHERE status = 'pending' AND is_held"),
  );
  expect(rows).toEqual([]);
});
