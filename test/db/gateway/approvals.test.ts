import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { setCredential } from "@/server/services/connections/set-credential";
import { sealJson } from "@/server/services/gateway/content";
import { changeRule } from "@/server/services/rules/change";
import { createRule } from "@/server/services/rules/create";
import { gatewayFixture, reasonOf } from "@/test/db/gateway/fixture";

const { org, grant, submit, execute, state, performed, approve } = gatewayFixture();

describe("what an approval is good for", () => {
  it("needs two different people where a rule asks for two", async () => {
    await createRule(org().admin.actor, {
      name: "two",
      verdict: "approval",
      condition: "action == 'test.write'",
      people: 2,
      reason: "test",
    });
    const answer = await submit("test.write");
    expect(await approve(answer)).toMatchObject({ status: "pending", remaining: 1 });
    expect(await reasonOf(approve(answer))).toBe("same_person");
    expect(await approve(answer, org().admin)).toMatchObject({ status: "approved", remaining: 0 });
    expect(await execute(answer.id)).toBe("ran");
    expect(performed(answer.id)).toBe(1);
  });

  it("needs the role that a rule asks for", async () => {
    await createRule(org().admin.actor, {
      name: "owner",
      verdict: "approval",
      condition: "true",
      requiredRole: "owner",
      reason: "test",
    });
    const answer = await submit("test.write");
    expect(await reasonOf(approve(answer, org().admin))).toBe("role_required");
    expect(await approve(answer, org().owner)).toMatchObject({ status: "approved" });
  });

  it("outlives a rotated credential", async () => {
    const answer = await submit("test.final");
    const credential = { kind: "header" as const, name: "x-key", value: "a-long-enough-value-1" };
    await setCredential(org().admin.actor, { id: grant().connectionId, credential });
    await approve(answer);
    await setCredential(org().admin.actor, {
      id: grant().connectionId,
      credential: { ...credential, value: "a-long-enough-value-2" },
    });
    expect(await execute(answer.id)).toBe("ran");
  });

  it("does not outlive a stricter rule: the request goes back to the queue and is asked anew", async () => {
    const answer = await submit("test.final");
    await approve(answer);
    await createRule(org().admin.actor, {
      name: "stricter",
      verdict: "approval",
      condition: "true",
      people: 2,
      reason: "test",
    });
    expect(await execute(answer.id)).toBe("returned");
    const back = await state(answer.id);
    expect(back).toMatchObject({ status: "pending" });
    expect(back.approval?.id).not.toBe(answer.approval?.id);
    expect(performed(answer.id)).toBe(0);
  });

  it("does not outlive the role of who gave it", async () => {
    const answer = await submit("test.final");
    await approve(answer);
    await withOrgSql(org().id, (q) => q.query("UPDATE member SET role = 'member' WHERE id = $1", [org().approver.id]));
    expect(await execute(answer.id)).toBe("returned");
    expect(performed(answer.id)).toBe(0);
  });

  it("cannot be given while a rule forbids the call, and can once the rule is gone", async () => {
    const answer = await submit("test.final");
    const rule = await createRule(org().admin.actor, {
      name: "never",
      verdict: "deny",
      condition: "true",
      reason: "test",
    });
    expect(await reasonOf(approve(answer))).toBe("blocked");
    await changeRule(org().admin.actor, { id: rule.id, version: rule.version, enabled: false, reason: "test" });
    expect(await approve(answer)).toMatchObject({ status: "approved" });
  });

  it("runs nothing else than what was shown: arguments exchanged in the database are asked anew", async () => {
    const answer = await submit("test.final", { target: "shown" });
    await approve(answer);
    const other = await sealJson(org().id, answer.id, "arguments", { target: "exchanged" });
    await withOrgSql(org().id, (q) =>
      q.query("UPDATE tool_request SET sealed_arguments = $2 WHERE id = $1", [answer.id, other]),
    );
    expect(await execute(answer.id)).toBe("returned");
    expect(performed(answer.id)).toBe(0);
  });

  it("is spent after a quarter of an hour in which nothing ran", async () => {
    const answer = await submit("test.final");
    await approve(answer);
    await withOrgSql(org().id, (q) =>
      q.query("UPDATE tool_request SET runs_at = now() - interval '16 minutes' WHERE id = $1", [answer.id]),
    );
    expect(await execute(answer.id)).toBe("returned");
    expect(performed(answer.id)).toBe(0);
  });

  it("is blocked at the claim by a spent limit, says so, and counts again when the limit allows", async () => {
    await withOrgSql(org().id, (q) => q.query("UPDATE agent_grant SET per_day = 1 WHERE id = $1", [grant().grantId]));
    const answer = await submit("test.final");
    await approve(answer);
    await submit("test.write");
    expect(await execute(answer.id)).toBe("returned");
    expect(await state(answer.id)).toMatchObject({
      status: "pending",
      blocked: { code: "usage_limit", check: "validation" },
    });
    const asked = await state(answer.id);
    expect(await reasonOf(approve(asked))).toBe("blocked");
    await withOrgSql(org().id, (q) =>
      q.query("UPDATE grant_usage SET day_count = 0 WHERE grant_id = $1", [grant().grantId]),
    );
    await approve(await state(answer.id));
    expect(await execute(answer.id)).toBe("ran");
  });
});
