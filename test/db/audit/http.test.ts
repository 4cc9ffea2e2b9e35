import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePrisma } from "@/server/db/client";
import { closePools } from "@/server/db/pools";
import { handleV1 } from "@/server/http/v1";
import { exportAudit } from "@/server/services/audit/export";
import { listAudit } from "@/server/services/audit/list";
import { verifyAuditLog } from "@/server/services/audit/verify";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { fiveCases } from "@/test/support/five-cases";
import { type TestOrganization, testOrganization, testToken } from "@/test/support/organization";

let db: TestDatabase;
let ours: TestOrganization;
let token: string;
beforeAll(async () => {
  db = await freshDatabase();
  ours = await testOrganization();
  token = await testToken(ours.auditor, ["read"]);
});
afterAll(async () => {
  await closePrisma();
  await closePools();
  await db.drop();
});

const get = (path: string, credential = token) =>
  handleV1(new Request(`http://localhost:3000/api/v1${path}`, { headers: { authorization: `Bearer ${credential}` } }));
const outsiders = () => [ours.member, ours.approver, ours.agent].map(({ actor }) => actor);

describe("audit.list", () => {
  fiveCases({
    command: listAudit,
    allowed: async () => ({
      actor: ours.auditor.actor,
      input: { what: "organization.created" },
      check: (answer) => expect(answer).toMatchObject({ items: [{ type: "organization.created" }], nextCursor: null }),
    }),
    invalid: async () => ({ actor: ours.auditor.actor, input: { request: "req_1" }, field: "request" }),
    forbidden: async () => ({ actors: outsiders(), input: {} }),
    otherOrganization: null,
    conflict: null,
  });
});

describe("audit.verify", () => {
  fiveCases({
    command: verifyAuditLog,
    allowed: async () => ({
      actor: ours.auditor.actor,
      input: {},
      check: (answer) => expect(answer).toMatchObject({ intact: true }),
    }),
    invalid: async () => ({ actor: ours.auditor.actor, input: { deep: true }, field: "deep" }),
    forbidden: async () => ({ actors: outsiders(), input: {} }),
    otherOrganization: null,
    conflict: null,
  });
});

describe("audit.export", () => {
  fiveCases({
    command: exportAudit,
    allowed: async () => ({ actor: ours.auditor.actor, input: { format: "csv" } }),
    invalid: async () => ({ actor: ours.auditor.actor, input: { format: "pdf" }, field: "format" }),
    forbidden: async () => ({ actors: outsiders(), input: {} }),
    otherOrganization: null,
    conflict: null,
  });
});

it("the three are served over HTTP to a token that may read", async () => {
  const list = await get("/audit?what=organization.created&limit=5");
  expect(list.status).toBe(200);
  expect((await list.json()).items[0]).toMatchObject({ type: "organization.created", isReadable: true });
  const verified = await get("/audit/verify");
  expect(await verified.json()).toMatchObject({ intact: true, entries: expect.any(Number) });
  const exported = await get("/audit/export?format=jsonl");
  expect(exported.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  const lines = (await exported.text()).trimEnd().split("\n");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ index: 0, event: { org: ours.id } });
});

it.each(["/audit", "/audit/verify", "/audit/export"])("an agent's key does not open %s", async (path) => {
  expect((await get(path, ours.agent.key)).status).toBe(403);
});
