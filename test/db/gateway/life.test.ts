import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePools } from "@/server/db/pools";
import { withOrgSql } from "@/server/db/with-org";
import type { AppError } from "@/server/domain/errors";
import { decideApproval } from "@/server/services/approvals/decide";
import { expireApproval } from "@/server/services/approvals/expire";
import { getApproval } from "@/server/services/approvals/get";
import { cancelToolRequest } from "@/server/services/requests/cancel";
import { executeRequest } from "@/server/services/requests/execute";
import { getToolRequest } from "@/server/services/requests/get";
import { submitToolRequest } from "@/server/services/requests/submit";
import { systemActor } from "@/server/services/system-actor";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { type TestOrganization, testOrganization } from "@/test/support/organization";
import { effectsIn, makeDue, registerTestTools, type TestGrant, testGrant } from "@/test/support/test-tools";

let database: TestDatabase;
let org: TestOrganization;
let grant: TestGrant;
const file = join(mkdtempSync(join(tmpdir(), "countersign-effects-")), "effects");

beforeAll(async () => {
  registerTestTools();
  database = await freshDatabase();
  org = await testOrganization();
  grant = await testGrant(org, file);
});
afterAll(async () => {
  await closePools();
  await database.drop();
});

const submit = (action: string, more: Record<string, unknown> = {}, args: Record<string, unknown> = { target: "a" }) =>
  submitToolRequest(org.agent.actor, { action, connection: grant.connectionId, arguments: args as never, ...more });
const execute = (requestId: string) => executeRequest(systemActor(org.id, "test"), { requestId });
const errorOf = async (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: AppError) => error,
  );
const approve = async (approvalId: string, person = org.approver) => {
  const { digest } = await getApproval(person.actor, { id: approvalId });
  return decideApproval(person.actor, { id: approvalId, decision: "approve", digest });
};
const performed = (requestId: string) => effectsIn(file).filter((line) => line.startsWith(requestId)).length;

describe("the life of a tool request", () => {
  it("runs a read at once and returns its result", async () => {
    const answer = await submit("test.read", {}, { target: "trusted", text: "hello" });
    expect(answer.status).toBe("pending");
  });

  it("runs an allowed effect at once for an autonomous agent", async () => {
    await withOrgSql(org.id, (q) => q.query("UPDATE agent SET autonomy = 'autonomous' WHERE id = $1", [org.agent.id]));
    const answer = await submit("test.write", {}, { target: "b", text: "x" });
    expect(answer).toMatchObject({ status: "succeeded", result: { target: "b" } });
    expect(performed(answer.id)).toBe(1);
    const read = await getToolRequest(org.agent.actor, { id: answer.id });
    expect(read).toMatchObject({ status: "succeeded", result: { target: "b" } });
  });

  it("asks a person for what is irreversible and runs it once approved", async () => {
    const answer = await submit("test.final");
    expect(answer).toMatchObject({ status: "pending", version: 1 });
    const approvalId = answer.approval?.id ?? "";
    expect(await approve(approvalId)).toMatchObject({ status: "approved", remaining: 0 });
    expect(performed(answer.id)).toBe(0);
    expect(await execute(answer.id)).toBe("ran");
    expect(await execute(answer.id)).toBe("skipped");
    expect(performed(answer.id)).toBe(1);
    expect((await getToolRequest(org.agent.actor, { id: answer.id })).status).toBe("succeeded");
  });

  it("holds what can be undone for its window, in which it can be cancelled", async () => {
    const answer = await submit("test.undoable");
    await approve(answer.approval?.id ?? "");
    expect(await execute(answer.id)).toBe("skipped");
    expect(await getToolRequest(org.agent.actor, { id: answer.id })).toMatchObject({ status: "scheduled" });
    expect(await cancelToolRequest(org.agent.actor, { id: answer.id })).toMatchObject({ status: "cancelled" });
    await makeDue(org.id, answer.id);
    expect(await execute(answer.id)).toBe("skipped");
    expect(performed(answer.id)).toBe(0);
  });

  it("lets nobody approve who asked: the agent's owner and the key's issuer", async () => {
    const answer = await submit("test.final");
    const error = await errorOf(approve(answer.approval?.id ?? "", org.agentOwner));
    expect([error.code, error.reason]).toEqual(["forbidden", "own_request"]);
  });

  it("counts the owner of then as having asked, whoever owns the agent now", async () => {
    const answer = await submit("test.final");
    const handOver = (owner: string) =>
      withOrgSql(org.id, async (q) => {
        await q.query("UPDATE agent_key SET issued_by = $1 WHERE agent_id = $2", [owner, org.agent.id]);
        await q.query("UPDATE agent SET owner_id = $1 WHERE id = $2", [owner, org.agent.id]);
      });
    await handOver(org.admin.id);
    const error = await errorOf(approve(answer.approval?.id ?? "", org.agentOwner));
    expect([error.code, error.reason]).toEqual(["forbidden", "own_request"]);
    const view = await getApproval(org.agentOwner.actor, { id: answer.approval?.id ?? "" });
    expect(view.mayDecide.allowed).toBe(false);
    await handOver(org.agentOwner.id);
  });

  it("refuses a digest other than the one asked for", async () => {
    const answer = await submit("test.final");
    const wrong = decideApproval(org.approver.actor, {
      id: answer.approval?.id ?? "",
      decision: "approve",
      digest: "0".repeat(64),
    });
    expect((await errorOf(wrong)).reason).toBe("digest_mismatch");
  });

  it("counts one rejection as final", async () => {
    const answer = await submit("test.final");
    const { digest } = await getApproval(org.approver.actor, { id: answer.approval?.id ?? "" });
    const id = answer.approval?.id ?? "";
    await decideApproval(org.approver.actor, { id, decision: "reject", digest, reason: "no" });
    expect((await errorOf(approve(id, org.admin))).reason).toBe("already_decided");
    expect(await getToolRequest(org.agent.actor, { id: answer.id })).toMatchObject({
      status: "rejected",
      reason: "no",
    });
  });

  it("expires by the database's clock, and counts as rejected", async () => {
    const answer = await submit("test.final");
    const id = answer.approval?.id ?? "";
    expect(await expireApproval(systemActor(org.id, "test"), { approvalId: id })).toBe(false);
    await withOrgSql(org.id, (q) =>
      q.query("UPDATE approval SET expires_at = now() - interval '1 second' WHERE id = $1", [id]),
    );
    expect((await errorOf(approve(id))).reason).toBe("expired");
    expect(await expireApproval(systemActor(org.id, "test"), { approvalId: id })).toBe(true);
    expect((await getToolRequest(org.agent.actor, { id: answer.id })).status).toBe("expired");
  });

  it("sends what waits back to the queue when its grant changes", async () => {
    const answer = await submit("test.undoable");
    await approve(answer.approval?.id ?? "");
    await withOrgSql(org.id, (q) =>
      q.query("UPDATE agent_grant SET version = version + 1, per_day = 10 WHERE id = $1", [grant.grantId]),
    );
    await makeDue(org.id, answer.id);
    expect(await execute(answer.id)).toBe("returned");
    const back = await getToolRequest(org.agent.actor, { id: answer.id });
    expect(back.status).toBe("pending");
    expect(back.approval?.id).not.toBe(answer.approval?.id);
    expect(performed(answer.id)).toBe(0);
  });

  it("answers the same for the same idempotency key, and refuses another call under it", async () => {
    const first = await submit("test.write", { idempotencyKey: "k1" }, { target: "idem" });
    const again = await submit("test.write", { idempotencyKey: "k1" }, { target: "idem" });
    expect(again).toMatchObject({ id: first.id, status: "succeeded" });
    expect(performed(first.id)).toBe(1);
    expect((await errorOf(submit("test.write", { idempotencyKey: "k1" }, { target: "other" }))).reason).toBe(
      "idempotency_key_reused",
    );
  });

  it("runs nothing whose decision was flipped by hand in the database", async () => {
    const answer = await submit("test.final");
    await withOrgSql(org.id, async (q) => {
      await q.query("UPDATE approval SET status = 'approved' WHERE request_id = $1", [answer.id]);
      await q.query("UPDATE tool_request SET status = 'ready', approval_id = $2, runs_at = now() WHERE id = $1", [
        answer.id,
        answer.approval?.id,
      ]);
    });
    expect(await execute(answer.id)).toBe("returned");
    expect(performed(answer.id)).toBe(0);
  });
});
