import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { withOrgSql } from "@/server/db/with-org";
import { openApiDocument } from "@/server/http/openapi";
import { findRoute } from "@/server/http/routes";
import { handleV1 } from "@/server/http/v1";
import type { HttpMethod } from "@/server/trpc/meta";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { cookieOf } from "@/test/db/http/callers";
import { TEST_PASSWORD } from "@/test/support/organization";
import { registerTestTools, testGrant } from "@/test/support/test-tools";

const two = twoOrganizations();
const JSON_TYPE = { "content-type": "application/json" };

type Answers = Record<string, { content?: { "application/json": { schema: object } } }>;
const document = openApiDocument() as { paths: Record<string, Record<string, { responses: Answers }>> };

/** Calls as `person` and returns the answer, which must have the status and the form that OpenAPI gives it. */
async function answered(headers: Record<string, string>, method: HttpMethod, path: string, body: object = {}) {
  const init =
    method === "GET" ? { headers } : { method, headers: { ...headers, ...JSON_TYPE }, body: JSON.stringify(body) };
  const response = await handleV1(new Request(`http://localhost:3000/api/v1${path}`, init));
  const answer = (await response.json()) as Record<string, string>;
  const http = findRoute(path.replace(/\?.*/, ""))?.methods.get(method)?.http;
  expect(http?.successStatuses ?? [200], `${method} ${path}: ${JSON.stringify(answer)}`).toContain(response.status);
  expect(http?.output, `${method} ${path}`).toBeDefined();
  expect(() => http?.output?.parse(answer), `${method} ${path}`).not.toThrow();
  const schema = document.paths[http?.path ?? ""]?.[method.toLowerCase()]?.responses[response.status]?.content;
  expect(schema, `${method} ${path}`).toBeDefined();
  expect(() => z.fromJSONSchema(schema?.["application/json"].schema as never).parse(answer), path).not.toThrow();
  return answer;
}

describe("what people do with their own credentials and with each other", () => {
  it("is answered as OpenAPI says", async () => {
    const headers = await cookieOf(two.ours.owner);
    await answered(headers, "GET", "/me");
    await answered(headers, "GET", "/me/sign-ins");
    const other = await cookieOf(two.ours.owner);
    const { id } = (await answered(other, "GET", "/me")) as { id: string; credentialId: string };
    expect(id).toBe(two.ours.owner.id);
    await answered(headers, "POST", "/me/sign-ins/revoke-others");
    const token = await answered(headers, "POST", "/me/tokens", { name: "for a script", scopes: ["read"] });
    await answered({ authorization: `Bearer ${token.token}` }, "GET", "/me");
    await answered(headers, "GET", "/me/tokens");
    await answered(headers, "POST", `/me/tokens/${token.id}/revoke`);
    const person = { email: "new@corp.example", name: "New", role: "member" };
    const made = await answered(headers, "POST", "/members", person);
    await answered(headers, "PATCH", `/members/${made.id}`, { role: "approver", version: 1 });
    await answered(headers, "POST", `/members/${made.id}/link`);
    await answered(headers, "GET", "/members");
    const passwords = { currentPassword: TEST_PASSWORD, newPassword: "quite another password" };
    await answered(headers, "POST", "/me/password", passwords);
  });
});

describe("the main job", () => {
  beforeAll(registerTestTools);

  it("is answered as OpenAPI says", async () => {
    const { ours } = two;
    const agent = { authorization: `Bearer ${ours.agent.key}` };
    const approver = await cookieOf(ours.approver);
    const { connectionId: connection } = await testGrant(ours, "/dev/null");
    const call = { action: "test.final", connection, arguments: { target: "a" } };
    await answered(agent, "GET", "/tools");
    const first = await answered(agent, "POST", "/tool-requests", call);
    const second = await answered(agent, "POST", "/tool-requests", call);
    await answered(agent, "GET", `/tool-requests/${first.id}`);
    await answered(approver, "GET", "/tool-requests");
    const { items } = (await answered(approver, "GET", "/approvals")) as unknown as {
      items: { id: string; digest: string }[];
    };
    const [asked] = items;
    await answered(approver, "GET", `/approvals/${asked?.id}`);
    const decision = { decision: "reject", digest: asked?.digest, reason: "not today" };
    await answered(approver, "POST", `/approvals/${asked?.id}/decision`, decision);
    await answered(agent, "GET", `/tool-requests/${first.id}`);
    await answered(agent, "POST", `/tool-requests/${second.id}/cancel`);
    for (const { id } of [first, second]) await answered(approver, "GET", `/tool-requests/${id}/details`);
  });

  it("is answered so for what ran, waits or was refused, and to who may not see content", async () => {
    const { ours } = two;
    await withOrgSql(ours.id, (q) => q.query("UPDATE agent SET autonomy = 'autonomous'"));
    const { connectionId: connection } = await testGrant(ours, "/dev/null");
    const agent = { authorization: `Bearer ${ours.agent.key}` };
    const ask = (action: string, text?: string) =>
      answered(agent, "POST", "/tool-requests", { action, connection, arguments: { target: "a", text } });
    const asked = [await ask("test.priced"), await ask("test.write", "fail"), await ask("test.high")];
    const denied = handleV1(
      new Request("http://localhost:3000/api/v1/tool-requests", {
        method: "POST",
        headers: { ...agent, ...JSON_TYPE },
        body: JSON.stringify({
          action: "test.write",
          connection: "con_00000000000000000000000000",
          arguments: { target: "a" },
        }),
      }),
    );
    const { id } = (await (await denied).json()) as { id: string };
    const readers = [await cookieOf(ours.approver), await cookieOf(ours.auditor)];
    for (const reader of readers) {
      for (const request of [...asked, { id }]) await answered(reader, "GET", `/tool-requests/${request.id}/details`);
    }
  });
});

describe("many at once, what would have been, and what was proposed", () => {
  it("are answered as OpenAPI says", async () => {
    registerTestTools();
    const { theirs } = two;
    const { connectionId: connection } = await testGrant(theirs, "/dev/null");
    const agent = { authorization: `Bearer ${theirs.agent.key}` };
    const [owner, approver] = [await cookieOf(theirs.owner), await cookieOf(theirs.approver)];
    const call = { action: "test.final", connection, arguments: { target: "a" } };
    const asked = (await answered(agent, "POST", "/tool-requests", call)) as unknown as { approval: { id: string } };
    const { digest = "" } = await answered(approver, "GET", `/approvals/${asked.approval.id}`);
    const items = [
      { id: asked.approval.id, digest },
      { id: `apr_${"0".repeat(26)}`, digest },
    ];
    await answered(approver, "POST", "/approvals/decisions", { decision: "reject", items });
    const change = { name: "all", verdict: "deny", condition: "true" };
    expect(await answered(owner, "POST", "/rules/replay", { change })).toMatchObject({ changes: [expect.anything()] });
    await withOrgSql(theirs.id, (q) => q.query("UPDATE agent SET autonomy = 'suggest'"));
    const proposed = await handleV1(
      new Request("http://localhost:3000/api/v1/tool-requests", {
        method: "POST",
        headers: { ...agent, ...JSON_TYPE },
        body: JSON.stringify(call),
      }),
    );
    const { id } = (await proposed.json()) as { id: string };
    const made = await answered(approver, "POST", `/tool-requests/${id}/take-up`);
    await answered(agent, "GET", `/tool-requests/${id}`);
    for (const one of [id, made.id]) await answered(owner, "GET", `/tool-requests/${one}/details`);
    await answered(owner, "GET", "/tool-requests?proposals=true&takenUp=true");
    await withOrgSql(theirs.id, (q) => q.query("UPDATE member SET disabled_at = now() WHERE role <> 'auditor'"));
    expect(await answered(agent, "GET", `/tool-requests/${made.id}`)).toMatchObject({
      approval: { nobodyCanApprove: true },
    });
  });
});

describe("the audit log", () => {
  it("is answered as OpenAPI says: its pages, its verification, and both where it was tampered with", async () => {
    const { theirs } = two;
    const auditor = await cookieOf(theirs.auditor);
    await answered(auditor, "GET", "/audit");
    const { head } = await answered(auditor, "GET", "/audit/verify");
    expect(head).toMatch(/^[0-9a-f]{64}$/);
    await answered(auditor, "GET", "/audit?limit=2&what=sign_in");
    await withOrgSql(theirs.id, (q) =>
      q.query("INSERT INTO audit_event (id, org_id, type, canonical, leaf) VALUES ($1, $2, 'x', 'junk', 'junk')", [
        newId("auditEvent"),
        q.orgId,
      ]),
    );
    expect(await answered(auditor, "GET", "/audit")).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ isReadable: false, actor: null })]),
    });
    expect(await answered(auditor, "GET", "/audit/verify")).toMatchObject({ firstFault: { kind: "inserted" } });
  });

  it("tells a refusal's code, check, words and request, as a problem document", async () => {
    const { ours } = two;
    const response = await handleV1(
      new Request("http://localhost:3000/api/v1/tool-requests", {
        method: "POST",
        headers: { authorization: `Bearer ${ours.agent.key}`, ...JSON_TYPE },
        body: JSON.stringify({
          action: "test.final",
          connection: ours.id.replace("org_", "con_"),
          arguments: { target: "a" },
        }),
      }),
    );
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      code: expect.any(String),
      check: "grant",
      reason: expect.any(String),
      id: expect.stringMatching(/^req_/),
    });
  });
});
