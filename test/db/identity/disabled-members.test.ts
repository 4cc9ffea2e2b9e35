import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { changeAgent } from "@/server/services/agents/change";
import { createAgent } from "@/server/services/agents/create";
import { getAgent } from "@/server/services/agents/get";
import { issueAgentKey } from "@/server/services/agents/issue-key";
import { pauseAgent } from "@/server/services/agents/pause";
import { resumeAgent } from "@/server/services/agents/resume";
import { revokeAgentKey } from "@/server/services/agents/revoke-key";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { authenticate } from "@/server/services/identity/authenticate";
import { changeMember } from "@/server/services/identity/members/change-member";
import { answerOf } from "@/server/services/requests/answer";
import { executeRequest } from "@/server/services/requests/execute";
import { submitToolRequest } from "@/server/services/requests/submit";
import { systemActor } from "@/server/services/system-actor";
import { recorded, twoOrganizations, unique } from "@/test/db/admin/fixture";
import { type TestOrganization, type TestPerson, testOrganization, testPerson } from "@/test/support/organization";
import { effectsIn, makeDue, registerTestTools, testGrant } from "@/test/support/test-tools";

twoOrganizations();
beforeAll(registerTestTools);

const file = join(mkdtempSync(join(tmpdir(), "countersign-disabled-")), "effects");
const setDisabled = (org: TestOrganization, { id }: TestPerson, isDisabled: boolean) =>
  changeMember(org.owner.actor, { id, isDisabled });
const admit = (key: string) => authenticate({ authorization: `Bearer ${key}`, cookie: null });
const issue = (by: TestPerson, id: string) => issueAgentKey(by.actor, { id });

/** An organization whose agent is owned by one member and holds a key that an admin issued, and one of its owner. */
async function desk() {
  const org = await testOrganization();
  await withOrgSql(org.id, (q) => q.query("UPDATE agent SET autonomy = 'autonomous'"));
  const { connectionId: connection } = await testGrant(org, file);
  const other = await issue(org.admin, org.agent.id);
  const submit = (action: string, keyId = other.id) =>
    submitToolRequest(
      { ...org.agent.actor, credentialId: keyId, issuedBy: org.admin.id },
      { action, connection, arguments: { target: "a" } },
    );
  return { org, other, submit };
}

describe("keys that a disabled member issued", () => {
  it("are not admitted, with the reason and what to do, until the member is enabled again", async () => {
    const { org, other } = await desk();
    await setDisabled(org, org.agentOwner, true);
    await expect(admit(org.agent.key)).rejects.toMatchObject({
      code: "unauthenticated",
      reason: "key_issuer_disabled",
      message: expect.stringContaining("new key"),
    });
    await expect(admit(org.agent.key.replace(/_[^_]+_[^_]+$/, "_wrong"))).rejects.toMatchObject({
      reason: "invalid_credential",
    });
    expect(await admit(other.key)).toMatchObject({ agentId: org.agent.id });
    const revoked = await recorded(org.id, "agent_key.revoked");
    expect(revoked.map(({ document }) => document.fields)).toEqual([{ key: org.agent.keyId, why: "issuer_disabled" }]);
    await setDisabled(org, org.agentOwner, false);
    expect(await admit(org.agent.key)).toMatchObject({ agentId: org.agent.id });
    const [entry] = (await recorded(org.id, "agent_key.issued")).slice(-1);
    expect(entry?.document.fields).toMatchObject({ key: org.agent.keyId, why: "issuer_enabled" });
  });

  it("stay revoked where a person revoked them meanwhile, or the agent has two others", async () => {
    const { org, other } = await desk();
    await setDisabled(org, org.agentOwner, true);
    await revokeAgentKey(org.admin.actor, { id: org.agent.id, keyId: org.agent.keyId });
    await setDisabled(org, org.agentOwner, false);
    await expect(admit(org.agent.key)).rejects.toMatchObject({ reason: "invalid_credential" });

    const mine = await issue(org.agentOwner, org.agent.id);
    await setDisabled(org, org.agentOwner, true);
    await issue(org.admin, org.agent.id);
    await setDisabled(org, org.agentOwner, false);
    await expect(admit(mine.key)).rejects.toMatchObject({ reason: "invalid_credential" });
    expect(await admit(other.key)).toMatchObject({ agentId: org.agent.id });
  });

  it("start nothing that was waiting to run", async () => {
    const { org, submit } = await desk();
    await withOrgSql(org.id, (q) =>
      q.query("UPDATE agent SET owner_id = $1 WHERE id = $2", [org.admin.id, org.agent.id]),
    );
    const { id, approval } = await submit("test.undoable", org.agent.keyId);
    const asked = await getApproval(org.approver.actor, { id: approval?.id ?? "" });
    await decideApproval(org.approver.actor, { id: asked.id, decision: "approve", digest: asked.digest });
    await setDisabled(org, org.agentOwner, true);
    await makeDue(org.id, id);
    expect(await executeRequest(systemActor(org.id, "test"), { requestId: id })).toBe("returned");
    expect(await answerOf(org.id, id)).toMatchObject({
      status: "pending",
      blocked: { check: "controls", code: "key_issuer_disabled" },
    });
    expect(effectsIn(file).filter((line) => line.startsWith(id))).toEqual([]);
  });

  it("cannot be left behind by a member who is being disabled at that moment", async () => {
    const { org } = await desk();
    for (let round = 0; round < 6; round += 1) {
      const person = await withOrgSql(org.id, (q) => testPerson(q, "admin"));
      const agent = await createAgent(org.admin.actor, { name: unique("agent") });
      const owned = createAgent(person.actor, { name: unique("owned") });
      await Promise.allSettled([issue(person, agent.id), owned, setDisabled(org, person, true)]);
      const { rows } = await withOrgSql(org.id, (q) =>
        q.query(
          `SELECT id FROM agent_key WHERE issued_by = $1 AND revoked_at IS NULL
           UNION ALL SELECT id FROM agent WHERE owner_id = $1 AND paused_at IS NULL`,
          [person.id],
        ),
      );
      expect(rows).toEqual([]);
    }
    const gone = await withOrgSql(org.id, (q) => testPerson(q, "admin"));
    await setDisabled(org, gone, true);
    await expect(issue(gone, org.agent.id)).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("agents that a disabled member owns", () => {
  it("are refused, with the reason and what to do, until the member is enabled again", async () => {
    const { org, submit } = await desk();
    expect((await submit("test.write")).status).toBe("succeeded");
    await setDisabled(org, org.agentOwner, true);
    await expect(submit("test.read")).rejects.toMatchObject({
      code: "refused",
      reason: "owner_disabled",
      message: expect.stringContaining("another owner"),
    });
    expect(await getAgent(org.admin.actor, { id: org.agent.id })).toMatchObject({ pausedFor: "owner_disabled" });
    const [paused] = (await recorded(org.id, "agent.paused")).slice(-1);
    expect(paused?.document.fields).toMatchObject({ why: "owner_disabled" });
    await setDisabled(org, org.agentOwner, false);
    expect((await submit("test.write")).status).toBe("succeeded");
    const [resumed] = (await recorded(org.id, "agent.resumed")).slice(-1);
    expect(resumed?.document.fields).toMatchObject({ why: "owner_enabled" });
  });

  it("start no effect after the disabling was acknowledged, however many run at that moment", async () => {
    const { org, submit } = await desk();
    const calls = Array.from({ length: 16 }, () => submit("test.write"));
    await setDisabled(org, org.agentOwner, true);
    await Promise.allSettled(calls);
    const { rows } = await withOrgSql(org.id, (q) =>
      q.query("SELECT 1 FROM tool_request r JOIN agent a ON a.id = r.agent_id WHERE r.claimed_at > a.paused_at"),
    );
    expect(rows).toEqual([]);
  });

  it("go on under another owner, and not before", async () => {
    const { org, submit } = await desk();
    await setDisabled(org, org.agentOwner, true);
    const { id } = org.agent;
    await expect(resumeAgent(org.admin.actor, { id })).rejects.toMatchObject({ reason: "owner_disabled" });
    const { version } = await getAgent(org.admin.actor, { id });
    await changeAgent(org.admin.actor, { id, version, ownerId: org.member.id });
    await expect(submit("test.read")).rejects.toMatchObject({ code: "refused" });
    await resumeAgent(org.admin.actor, { id });
    expect((await submit("test.write")).status).toBe("succeeded");
  });

  it("stay paused where a person paused them, before or meanwhile", async () => {
    const { org, submit } = await desk();
    const { id } = org.agent;
    await setDisabled(org, org.agentOwner, true);
    await pauseAgent(org.admin.actor, { id });
    await setDisabled(org, org.agentOwner, false);
    await expect(submit("test.read")).rejects.toMatchObject({ reason: "agent_paused" });
    await setDisabled(org, org.agentOwner, true);
    await setDisabled(org, org.agentOwner, false);
    await expect(submit("test.read")).rejects.toMatchObject({ reason: "agent_paused" });
  });
});
