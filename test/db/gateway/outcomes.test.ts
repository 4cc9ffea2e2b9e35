import { describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import type { AppError } from "@/server/domain/errors";
import { verifyAuditLog } from "@/server/services/audit/verify";
import { setCredential } from "@/server/services/connections/set-credential";
import { getToolRequest } from "@/server/services/requests/get";
import { gatewayFixture, reasonOf } from "@/test/db/gateway/fixture";
import { makeDue } from "@/test/support/test-tools";

const { org, grant, submit, execute, approve } = gatewayFixture();

describe("what is refused", () => {
  it("by the secret scan is stored without its arguments, and says where but not what", async () => {
    const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`;
    const error = await submit("test.write", { target: "a", text: `use ${secret}` }).catch(
      (caught: AppError) => caught,
    );
    expect(error).toMatchObject({ code: "refused", details: { reason: "secret_found", field: "arguments.text" } });
    expect(JSON.stringify(error)).not.toContain(secret);
    const { rows } = await withOrgSql(org().id, (q) =>
      q.query("SELECT sealed_arguments, sealed_note, status FROM tool_request WHERE denied_code = 'secret_found'"),
    );
    expect(rows).toEqual([{ sealed_arguments: null, sealed_note: null, status: "denied" }]);
    const events = await withOrgSql(org().id, (q) =>
      q.query<{ text: string }>("SELECT convert_from(canonical, 'UTF8') AS text FROM audit_event"),
    );
    for (const { text } of events.rows) expect(text).not.toContain(secret);
  });

  it("by the schema leaves no row, uses no key up, and names the field", async () => {
    const bad = submit("test.write", { target: "a", extra: 1 }, { idempotencyKey: "k" });
    await expect(bad).rejects.toMatchObject({ code: "invalid", details: { field: "arguments.extra" } });
    const { rows } = await withOrgSql(org().id, (q) => q.query("SELECT 1 FROM tool_request"));
    expect(rows).toHaveLength(0);
    expect(await submit("test.write", { target: "a" }, { idempotencyKey: "k" })).toMatchObject({ status: "succeeded" });
  });

  it("stays refused under its idempotency key", async () => {
    await withOrgSql(org().id, (q) =>
      q.query("UPDATE agent_grant SET revoked_at = now() WHERE id = $1", [grant().grantId]),
    );
    expect(await reasonOf(submit("test.write", { target: "a" }, { idempotencyKey: "k" }))).toBe("no_grant");
    await withOrgSql(org().id, (q) =>
      q.query("UPDATE agent_grant SET revoked_at = NULL WHERE id = $1", [grant().grantId]),
    );
    expect(await reasonOf(submit("test.write", { target: "a" }, { idempotencyKey: "k" }))).toBe("no_grant");
  });

  it("in read-only mode is kept as a proposal", async () => {
    await withOrgSql(org().id, (q) => q.query("UPDATE agent SET read_only = true WHERE id = $1", [org().agent.id]));
    expect(await reasonOf(submit("test.write"))).toBe("recorded_as_proposal");
    const { rows } = await withOrgSql(org().id, (q) => q.query("SELECT is_proposal FROM tool_request"));
    expect(rows).toEqual([{ is_proposal: true }]);
    expect(await submit("test.read")).toMatchObject({ status: "succeeded" });
  });
});

describe("outcomes", () => {
  it("of a connector that fails or breaks are recorded as such", async () => {
    expect(await submit("test.write", { target: "a", text: "fail" })).toMatchObject({
      status: "failed",
      error: { code: "test_failed" },
    });
    expect(await submit("test.write", { target: "a", text: "throw" })).toMatchObject({ status: "outcome_unknown" });
  });

  it("mark the session as having met content from outside", async () => {
    await submit("test.read");
    const { rows } = await withOrgSql(org().id, (q) => q.query<{ labels: string[] }>("SELECT labels FROM session"));
    expect(rows[0]?.labels).toEqual(["unverified", "untrusted"]);
  });

  it("answer a waiting reader within a second of the change", async () => {
    const answer = await submit("test.undoable");
    const waiting = getToolRequest(org().agent.actor, { id: answer.id, wait: 20, after: answer.version });
    await approve(answer);
    expect(await waiting).toMatchObject({ status: "scheduled" });
    await makeDue(org().id, answer.id);
    expect(await execute(answer.id)).toBe("ran");
  });

  it("leave a log that names who asked, who approved and the credential, and is intact", async () => {
    const credential = { kind: "header" as const, name: "x-key", value: "a-long-enough-value-1" };
    await setCredential(org().admin.actor, { id: grant().connectionId, credential });
    const answer = await submit("test.final");
    await approve(answer);
    await execute(answer.id);
    const { rows } = await withOrgSql(org().id, (q) =>
      q.query<{ doc: string; type: string }>(
        "SELECT type, convert_from(canonical, 'UTF8') AS doc FROM audit_event WHERE request_id = $1 ORDER BY id",
        [answer.id],
      ),
    );
    expect(rows.map((row) => row.type)).toEqual([
      "request.submitted",
      "request.pending",
      "approval.requested",
      "approval.approved",
      "request.started",
      "request.succeeded",
      "session.labelled",
    ]);
    const started = JSON.parse(rows[4]?.doc ?? "{}");
    expect(started).toMatchObject({
      agent: org().agent.id,
      person: org().agentOwner.id,
      approvers: [org().approver.id],
      request: answer.id,
    });
    expect(started.credential).toMatch(/^crd_/);
    expect(await verifyAuditLog(org().owner.actor, {})).toMatchObject({ intact: true });
  });
});
