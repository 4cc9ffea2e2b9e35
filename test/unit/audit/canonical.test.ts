import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { MemberActor } from "@/server/domain/actor";
import type { AuditEntry } from "@/server/domain/audit";
import { canonicalJson } from "@/server/domain/canonical-json";
import { canonicalEvent } from "@/server/services/audit/canonical";
import { leafOf } from "@/server/services/audit/chain/hashes";
import { readDocument } from "@/server/services/audit/stored-event";
import { auditText } from "@/server/services/audit/text";

const orgId = "org_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const at = new Date("2026-11-30T12:00:00.123Z");
const member: MemberActor = {
  ...{ kind: "member", orgId, memberId: "mem_1", name: "Ada Lovelace", role: "admin", via: "token" },
  ...{ credentialId: "pat_1", permissions: new Set() },
};
const agent = {
  ...{ kind: "agent", orgId, agentId: "agt_1", name: "Mailer", ownerId: "mem_2", issuedBy: "mem_3" },
  ...{ credentialId: "key_1", permissions: new Set() },
} as const;
const entry = (changes: Partial<AuditEntry> = {}): AuditEntry =>
  ({
    type: "agent.created",
    actor: member,
    at,
    fields: { owner: "mem_1", autonomy: "suggest" },
    ...changes,
  }) as AuditEntry;
const textOf = (e: AuditEntry) => Buffer.from(canonicalEvent(orgId, e).canonical, "base64").toString("utf8");
const documentOf = (e: AuditEntry) => JSON.parse(textOf(e));

it("an entry names person, agent, session, credential, approvers and request", () => {
  const started = entry({
    ...{ type: "request.started", actor: agent, requestId: "req_1", sessionId: "ses_1", credential: "crd_1" },
    ...{ approvers: ["mem_4", "mem_5"], fields: { action: "email.send", credentialVersion: 3 } },
  } as Partial<AuditEntry>);
  expect(documentOf(started)).toMatchObject({
    ...{ v: 1, org: orgId, type: "request.started", at: "2026-11-30T12:00:00.123Z", person: "mem_2", agent: "agt_1" },
    ...{ session: "ses_1", request: "req_1", credential: "crd_1", approvers: ["mem_4", "mem_5"] },
    actor: { kind: "agent", id: "agt_1", credential: "key_1", issuedBy: "mem_3" },
    fields: { action: "email.send", credentialVersion: 3 },
  });
  expect(canonicalEvent(orgId, started)).toMatchObject({ requestId: "req_1", actorId: "agt_1", agentId: "agt_1" });
});

it.each([
  ["a member", member],
  ["an agent", agent],
  ["a job", { kind: "system", orgId, job: "sweep", permissions: new Set() }],
  ["nobody known", { kind: "anonymous" }],
])("the bytes of what %s did are canonical and the leaf is theirs", (_who, actor) => {
  const all = { requestId: "req_1", agentId: "agt_1", personId: "mem_1", sessionId: "ses_1", credential: "crd_1" };
  const fields = { owner: "mem_1", name: 'Ü "x"', department: "dep_1", autonomy: "suggest" };
  const personal = { user_agent: "x", email: "e", name: "n", address: "a" };
  const row = canonicalEvent(
    orgId,
    entry({ actor, ...all, fields, personal, approvers: ["mem_2"] } as Partial<AuditEntry>),
  );
  const bytes = Buffer.from(row.canonical, "base64");
  expect(canonicalJson(JSON.parse(bytes.toString("utf8")))).toBe(bytes.toString("utf8"));
  expect(row.leaf).toBe(leafOf(bytes).toString("base64"));
});

it("a personal value enters the bytes as a salted commitment alone", () => {
  const e = entry({ personal: { email: "ada@example.com", name: "Ada" } });
  const row = canonicalEvent(orgId, e);
  const text = Buffer.from(row.canonical, "base64").toString("utf8");
  expect(text).not.toMatch(/ada@example|Ada/);
  const email = row.personal?.find(({ field }) => field === "email");
  const salted = Buffer.concat([Buffer.from(email?.salt ?? "", "base64"), Buffer.from(email?.value ?? "")]);
  expect(JSON.parse(text).personal.email).toBe(createHash("sha256").update(salted).digest("hex"));
  expect(canonicalEvent(orgId, e).personal?.[0]?.salt).not.toBe(row.personal?.[0]?.salt);
});

it.each([
  ["a field that the type does not list", { arguments: "to: bob" }],
  ["content where a code belongs", { autonomy: { nested: "text" } }],
  ["a missing field", { owner: undefined }],
  ["a prototype", JSON.parse('{"__proto__": {"x": 1}}')],
])("%s is never recorded", (_what, fields) => {
  const wrong = entry({ fields: { owner: "mem_1", autonomy: "suggest", ...fields } } as Partial<AuditEntry>);
  if (Object.hasOwn(fields, "__proto__"))
    Object.defineProperty(wrong.fields, "__proto__", { value: 1, enumerable: true });
  expect(() => canonicalEvent(orgId, wrong)).toThrow("does not allow");
});

it("an actor of another organization is refused", () => {
  expect(() => canonicalEvent("org_other", entry())).toThrow("another organization");
});

it("a secret in a name is masked, and its neighbourhood with it", () => {
  const key = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
  const text = textOf(
    entry({
      fields: { owner: "mem_1", autonomy: "suggest", name: `my key is ${key}, keep it` },
    } as Partial<AuditEntry>),
  );
  expect(text).not.toContain("16C7e42F");
  expect(text).toContain("[masked: ");
  expect(auditText(`${"x".repeat(290)} ${key}`)).toMatch(/^\[masked: /);
});

it("ids, codes, digests and ordinary names stay as they are", () => {
  const words = [
    "req_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "email.send",
    "a".repeat(64),
    "Order desk",
    "pay/roll@3",
    "7.50",
    "",
  ];
  for (const word of words) expect(auditText(word)).toBe(word);
});

const HOSTILE = [
  "\u0000",
  "\n",
  "\u0085",
  "\u2028",
  "\u202E",
  "\ud800",
  "\udc00",
  "😀",
  "é",
  '"',
  "\\",
  "/",
  "=",
  "<",
  "a",
  "Z",
  "7",
  " ",
];
const hostile = fc.string({ unit: fc.constantFrom(...HOSTILE), maxLength: 400 });

it("any string ends as one short line that reads back as it was written", () =>
  fc.assert(
    fc.property(hostile, (name) => {
      const e = entry({
        fields: { owner: "mem_1", autonomy: "suggest", name },
        personal: { name },
      } as Partial<AuditEntry>);
      const row = canonicalEvent(orgId, e);
      const bytes = Buffer.from(row.canonical, "base64");
      const stored = readDocument(bytes)?.fields.name;
      expect(canonicalJson(JSON.parse(bytes.toString("utf8")))).toBe(bytes.toString("utf8"));
      expect(stored).toBe(auditText(name));
      expect(String(stored).length).toBeLessThanOrEqual(300);
      expect(String(stored)).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u);
      expect(row.personal?.[0]?.value.isWellFormed()).toBe(true);
    }),
    { numRuns: 50 },
  ));

it("lone halves, nulls and overrides cannot hide in an entry", () => {
  expect(auditText("a\ud800b\u0000c\u202Ed\ne")).toBe("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe");
  expect(auditText("x".repeat(1_000))).toHaveLength(300);
});
