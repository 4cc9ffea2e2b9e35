import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePools } from "@/server/db/pools";
import { withOrgSql } from "@/server/db/with-org";
import { decideApproval } from "@/server/services/approvals/decide";
import { getApproval } from "@/server/services/approvals/get";
import { type Answer, answerOf } from "@/server/services/requests/answer";
import { executeRequest } from "@/server/services/requests/execute";
import { reapRequest } from "@/server/services/requests/reap";
import { submitToolRequest } from "@/server/services/requests/submit";
import { systemActor } from "@/server/services/system-actor";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { inProcess, type WorkerCall, type WorkerResult } from "@/test/support/in-process";
import { type TestOrganization, testOrganization } from "@/test/support/organization";
import { effectsIn, registerTestTools, type TestGrant, testGrant } from "@/test/support/test-tools";

let database: TestDatabase;
let org: TestOrganization;
let grant: TestGrant;
const file = join(mkdtempSync(join(tmpdir(), "countersign-effects-")), "effects");
const TIMEOUT_MS = 90_000;

beforeAll(async () => {
  registerTestTools();
  database = await freshDatabase();
  org = await testOrganization();
  await withOrgSql(org.id, (q) =>
    q.query("UPDATE agent SET autonomy = 'autonomous', pending_limit = 1000 WHERE id = $1", [org.agent.id]),
  );
  grant = await testGrant(org, file);
});
afterAll(async () => {
  await closePools();
  await database.drop();
});

const input = (action: string, connectionId: string, more: object = {}) => ({
  action,
  connection: connectionId,
  arguments: { target: "a" },
  ...more,
});
const performed = (requestId: string) => effectsIn(file).filter((line) => line.startsWith(requestId)).length;
const twoProcesses = async (first: WorkerCall[], second: WorkerCall[]): Promise<WorkerResult[]> =>
  (await Promise.all([inProcess(database, first), inProcess(database, second)])).flatMap((results) => results ?? []);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

async function approved(): Promise<Answer> {
  const answer = await submitToolRequest(org.agent.actor, input("test.final", grant.connectionId));
  const id = answer.approval?.id ?? "";
  const { digest } = await getApproval(org.approver.actor, { id });
  await decideApproval(org.approver.actor, { id, decision: "approve", digest });
  return answer;
}

const executeCall = (requestId: string): WorkerCall => ({
  kind: "execute",
  actor: systemActor(org.id, "test"),
  input: { requestId },
});

describe("many callers at once in two processes", () => {
  it("of 40 claims of one request exactly one performs it", { timeout: TIMEOUT_MS }, async () => {
    const { id } = await approved();
    const results = await twoProcesses(
      times(20, () => executeCall(id)),
      times(20, () => executeCall(id)),
    );
    expect(results.filter((result) => result.ok === "ran")).toHaveLength(1);
    expect(performed(id)).toBe(1);
    expect((await answerOf(org.id, id)).status).toBe("succeeded");
  });

  it("of 40 contrary decisions exactly one counts", { timeout: TIMEOUT_MS }, async () => {
    const answer = await submitToolRequest(org.agent.actor, input("test.final", grant.connectionId));
    const id = answer.approval?.id ?? "";
    const { digest } = await getApproval(org.approver.actor, { id });
    const call = (person: typeof org.approver, decision: string): WorkerCall => ({
      kind: "decide",
      actor: person.actor,
      input: { id, decision, digest },
    });
    const results = await twoProcesses(
      times(20, (index) => call(org.approver, index % 2 ? "approve" : "reject")),
      times(20, (index) => call(org.admin, index % 2 ? "reject" : "approve")),
    );
    const won = results.filter((result) => result.ok !== undefined);
    expect(won).toHaveLength(1);
    expect(new Set(results.flatMap((result) => result.error ?? []))).toEqual(new Set(["already_decided"]));
    const { rows } = await withOrgSql(org.id, (q) => q.query("SELECT 1 FROM decision WHERE approval_id = $1", [id]));
    expect(rows).toHaveLength(1);
  });

  it("takes a usage limit exactly", { timeout: TIMEOUT_MS }, async () => {
    const limited = await testGrant(org, file, { perDay: 13 });
    const call = (): WorkerCall => ({
      kind: "submit",
      actor: org.agent.actor,
      input: input("test.write", limited.connectionId),
    });
    const results = await twoProcesses(times(20, call), times(20, call));
    expect(results.filter((result) => result.ok !== undefined)).toHaveLength(13);
    expect(results.filter((result) => result.error === "usage_limit")).toHaveLength(27);
  });

  it("takes a budget exactly, and settles what it held", { timeout: TIMEOUT_MS }, async () => {
    await withOrgSql(org.id, (q) =>
      q.query(
        "UPDATE budget SET cap_micros = spent_micros + 7000000 WHERE scope = 'organization' AND currency = 'USD'",
      ),
    );
    const call = (): WorkerCall => ({
      kind: "submit",
      actor: org.agent.actor,
      input: input("test.priced", grant.connectionId),
    });
    const results = await twoProcesses(times(15, call), times(15, call));
    expect(results.filter((result) => result.ok !== undefined)).toHaveLength(7);
    expect(results.filter((result) => result.error === "budget_spent")).toHaveLength(23);
    const { rows } = await withOrgSql(org.id, (q) =>
      q.query<{ reserved: string; left: string }>(
        "SELECT reserved_micros AS reserved, cap_micros - spent_micros AS left FROM budget WHERE scope = 'organization' AND currency = 'USD'",
      ),
    );
    expect(rows).toEqual([{ reserved: "0", left: "0" }]);
  });

  it("lets one idempotency key make one request", { timeout: TIMEOUT_MS }, async () => {
    const call = (): WorkerCall => ({
      kind: "submit",
      actor: org.agent.actor,
      input: input("test.write", grant.connectionId, { idempotencyKey: "once" }),
    });
    const results = await twoProcesses(times(20, call), times(20, call));
    const ids = new Set(results.map((result) => (result.ok as Answer | undefined)?.id));
    expect(ids.size).toBe(1);
    expect(performed([...ids][0] ?? "")).toBe(1);
  });

  it("never lets more requests wait than the agent may have", { timeout: TIMEOUT_MS }, async () => {
    await withOrgSql(org.id, async (q) => {
      await q.query("UPDATE tool_request SET status = 'withdrawn' WHERE status = 'pending'");
      await q.query("UPDATE agent SET pending_limit = 9 WHERE id = $1", [org.agent.id]);
    });
    const call = (): WorkerCall => ({
      kind: "submit",
      actor: org.agent.actor,
      input: input("test.final", grant.connectionId),
    });
    const results = await twoProcesses(times(15, call), times(15, call));
    expect(results.filter((result) => result.ok !== undefined)).toHaveLength(9);
    expect(results.filter((result) => result.error === "too_many_pending")).toHaveLength(21);
    await withOrgSql(org.id, (q) => q.query("UPDATE agent SET pending_limit = 1000 WHERE id = $1", [org.agent.id]));
  });
});

describe("a process killed between any two steps", () => {
  const endLease = (id: string) =>
    withOrgSql(org.id, (q) =>
      q.query("UPDATE tool_request SET lease_until = now() WHERE id = $1 AND lease_until IS NOT NULL", [id]),
    );
  const restart = async (id: string) => {
    await endLease(id);
    await reapRequest(systemActor(org.id, "test"), { requestId: id });
    await executeRequest(systemActor(org.id, "test"), { requestId: id });
    return (await answerOf(org.id, id)).status;
  };

  it.each([
    { at: "before:loadFacts", effects: 1, status: "succeeded" },
    { at: "after:loadFacts", effects: 1, status: "succeeded" },
    { at: "before:claim", effects: 1, status: "succeeded" },
    { at: "after:claim", effects: 0, status: "outcome_unknown" },
    { at: "before:flush", effects: 0, status: "outcome_unknown" },
    { at: "after:flush", effects: 0, status: "outcome_unknown" },
    { at: "before:settle", effects: 1, status: "outcome_unknown" },
    { at: "after:settle", effects: 1, status: "succeeded" },
  ])("at $at loses nothing and performs nothing twice", { timeout: TIMEOUT_MS }, async ({ at, effects, status }) => {
    const { id } = await approved();
    expect(await inProcess(database, [executeCall(id)], at)).toBeNull();
    expect(await restart(id)).toBe(status);
    expect(await restart(id)).toBe(status);
    expect(performed(id)).toBe(effects);
  });
});
