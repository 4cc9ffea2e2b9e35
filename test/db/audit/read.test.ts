import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "@/server/db/new-id";
import { closePools } from "@/server/db/pools";
import { withOrgSql } from "@/server/db/with-org";
import type { Actor } from "@/server/domain/actor";
import type { AuditEntry } from "@/server/domain/audit";
import { permissionsOfAgents } from "@/server/domain/permission";
import { leafOf } from "@/server/services/audit/chain/hashes";
import { sealOrganization } from "@/server/services/audit/chain/seal";
import { verifyAudit } from "@/server/services/audit/chain/verify";
import { exportAudit } from "@/server/services/audit/export";
import { listAudit } from "@/server/services/audit/list";
import { auditSql } from "@/server/services/audit/record";
import { verifyAuditLog } from "@/server/services/audit/verify";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { anAttacker, anEntry, anOrganization, aReader } from "./fixture";

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(async () => {
  await closePools();
  await db.drop();
});

const anAgent = (orgId: string): Actor => ({
  ...{
    kind: "agent",
    orgId,
    agentId: newId("agent"),
    name: "Mailer",
    ownerId: newId("member"),
    issuedBy: newId("member"),
  },
  ...{ credentialId: newId("agentKey"), permissions: permissionsOfAgents() },
});
const record = (orgId: string, ...entries: AuditEntry[]) => withOrgSql(orgId, (q) => auditSql(q, entries));
const textOf = async (chunks: AsyncIterable<string | Uint8Array>) => {
  let text = "";
  for await (const chunk of chunks) text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
  return text;
};

it("the log is read newest first, page by page, sealed or not", async () => {
  const orgId = await anOrganization();
  const reader = aReader(orgId);
  for (let n = 0; n < 5; n += 1) await record(orgId, anEntry(orgId, `Person${n}`));
  await sealOrganization(orgId);
  await record(orgId, anEntry(orgId, "Person5"));
  const first = await listAudit(reader, { limit: 4 });
  expect(first.items.map((item) => item.personal.name)).toEqual(["Person5", "Person4", "Person3", "Person2"]);
  expect(first.items.map((item) => item.index)).toEqual([null, 4, 3, 2]);
  const second = await listAudit(reader, { limit: 4, cursor: first.nextCursor ?? undefined });
  expect(second.items.map((item) => item.personal.name)).toEqual(["Person1", "Person0"]);
  expect(second.nextCursor).toBeNull();
});

it("entries are found by who, what, when and request", async () => {
  const orgId = await anOrganization();
  const reader = aReader(orgId);
  const admin = aReader(orgId, "admin");
  const agent = anAgent(orgId);
  const requestId = newId("toolRequest");
  const at = new Date();
  const submitted = {
    type: "request.submitted",
    actor: agent,
    at,
    requestId,
    fields: { action: "email.send", status: "pending" },
  } as const;
  await record(orgId, submitted);
  await record(orgId, { type: "control.activated", actor: admin, at, fields: { level: "freeze", version: 2 } });
  await record(orgId, { type: "control.released", actor: admin, at, fields: { version: 3 } });
  const types = async (filter: Parameters<typeof listAudit>[1]) =>
    (await listAudit(reader, filter)).items.map((i) => i.type);
  expect(await types({ who: admin.memberId })).toEqual(["control.released", "control.activated"]);
  expect(await types({ who: agent.kind === "agent" ? agent.agentId : "" })).toEqual(["request.submitted"]);
  expect(await types({ what: "control" })).toEqual(["control.released", "control.activated"]);
  expect(await types({ what: "request" })).toEqual(["request.submitted"]);
  expect(await types({ what: "control.released", who: admin.memberId })).toEqual(["control.released"]);
  expect(await types({ request: requestId })).toEqual(["request.submitted"]);
  const [hourAgo, hourOn] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  expect(await types({ from: hourAgo, to: hourOn })).toHaveLength(3);
  expect(await types({ to: hourAgo })).toEqual([]);
  expect(await types({ from: hourOn })).toEqual([]);
});

it("names of members and agents come with the page", async () => {
  const orgId = await anOrganization();
  const admin = aReader(orgId, "admin");
  await withOrgSql(orgId, (q) =>
    q.query("INSERT INTO member (id, org_id, email, name, role) VALUES ($1, $2, 'rita@example.com', 'Rita', 'admin')", [
      admin.memberId,
      orgId,
    ]),
  );
  await record(orgId, { type: "member.disabled", actor: admin, at: new Date(), fields: { member: newId("member") } });
  expect((await listAudit(admin, {})).names).toEqual({ [admin.memberId]: "Rita" });
});

it("who may not read the log is refused, agents first", async () => {
  const orgId = await anOrganization();
  for (const role of ["member", "approver"] as const) {
    await expect(listAudit(aReader(orgId, role), {})).rejects.toMatchObject({ details: { reason: "not_permitted" } });
    await expect(exportAudit(aReader(orgId, role), {})).rejects.toMatchObject({ details: { reason: "not_permitted" } });
  }
  await expect(verifyAuditLog(anAgent(orgId), {})).rejects.toMatchObject({ details: { reason: "wrong_caller" } });
  await expect(listAudit(aReader(orgId), { what: "nothing" })).rejects.toMatchObject({ code: "invalid" });
});

it("one organization's readers see nothing of another's", async () => {
  const [ours, theirs] = [await anOrganization(), await anOrganization()];
  await record(theirs, anEntry(theirs));
  const reader = aReader(ours);
  expect((await listAudit(reader, {})).items).toEqual([]);
  expect(await verifyAuditLog(reader, {})).toMatchObject({ intact: true, entries: 0 });
  expect(await textOf((await exportAudit(reader, {})).chunks)).not.toContain("Ada");
});

it("verification is recorded with its result, once for each who asked", async () => {
  const orgId = await anOrganization();
  await record(orgId, anEntry(orgId));
  const reports = await Promise.all([verifyAuditLog(aReader(orgId), {}), verifyAuditLog(aReader(orgId), {})]);
  expect(reports).toMatchObject([
    { intact: true, entries: 1 },
    { intact: true, entries: 1 },
  ]);
  const { items } = await listAudit(aReader(orgId), { what: "audit.verified" });
  expect(items.map((item) => item.fields)).toEqual(Array(2).fill({ intact: true, entries: 1 }));
});

it("the whole log is read a few times a minute, by however many and whatever their own limits", async () => {
  const [orgId, other] = [await anOrganization(), await anOrganization()];
  const often = async (read: (actor: ReturnType<typeof aReader>) => Promise<unknown>) => {
    // More than may be at once: a slow machine earns a turn or two meanwhile.
    const repeated = async () => {
      for (let count = 0; count < 40; count += 1) await read(aReader(orgId));
    };
    await expect(repeated()).rejects.toMatchObject({
      code: "rate_limited",
      details: { retryAfterS: expect.any(Number) },
    });
    await read(aReader(other));
  };
  await often((actor) => verifyAuditLog(actor, {}));
  await often((actor) => exportAudit(actor, {}));
});

it("an export holds the hashed text of every entry in the order of the chain, and leaves an entry itself", async () => {
  const orgId = await anOrganization();
  for (let n = 0; n < 3; n += 1) await record(orgId, anEntry(orgId, `Person${n}`));
  const reader = aReader(orgId);
  const { chunks, fileName } = await exportAudit(reader, { format: "jsonl" });
  const lines = (await textOf(chunks)).trimEnd().split("\n");
  expect(fileName).toMatch(/^audit-\d{4}-\d\d-\d\d\.jsonl$/);
  expect(lines).toHaveLength(3);
  for (const [index, line] of lines.entries()) {
    const parsed = JSON.parse(line);
    const event = line.slice(line.indexOf('"event":') + 8, -1);
    expect(leafOf(Buffer.from(event, "utf8")).toString("hex")).toBe(parsed.leaf);
    expect(parsed).toMatchObject({ index, personal: { name: { value: `Person${index}` } }, event: { org: orgId } });
  }
  expect((await listAudit(reader, { what: "audit.exported" })).items[0]?.fields).toEqual({
    format: "jsonl",
    entries: 3,
  });
});

it("an export for spreadsheets holds no formula", async () => {
  const orgId = await anOrganization();
  await record(orgId, anEntry(orgId, '=HYPERLINK("http://evil.example","Ada")'));
  const text = await textOf((await exportAudit(aReader(orgId), { format: "csv" })).chunks);
  const lines = text.split("\r\n");
  expect(lines[0]).toMatch(/^"index","at","type"/);
  expect(lines[1]).toContain(`"'=HYPERLINK(""http://evil.example"",""Ada"")"`);
});

it("an erased value is shown as erased", async () => {
  const orgId = await anOrganization();
  await record(orgId, anEntry(orgId));
  await sealOrganization(orgId);
  const owner = await anAttacker(db.superuserUrl, db.name);
  await owner.run("DELETE FROM audit_personal WHERE org_id = $1 AND field = 'email'", [orgId]);
  await owner.end();
  const { items } = await listAudit(aReader(orgId), {});
  expect(items[0]?.personal).toEqual({ name: "Ada", email: null });
  expect(await verifyAudit(orgId)).toMatchObject({ intact: true });
});
