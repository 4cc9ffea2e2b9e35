import { beforeAll, describe, expect, it } from "vitest";
import { findRoute } from "@/server/http/routes";
import { handleV1 } from "@/server/http/v1";
import type { HttpMethod } from "@/server/trpc/meta";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { cookieOf } from "@/test/db/http/callers";
import { TEST_PASSWORD } from "@/test/support/organization";
import { registerTestTools, testGrant } from "@/test/support/test-tools";

const two = twoOrganizations();
const JSON_TYPE = { "content-type": "application/json" };

/** Calls as `person` and returns the answer, which must have the status and the form that OpenAPI gives it. */
async function answered(headers: Record<string, string>, method: HttpMethod, path: string, body: object = {}) {
  const init =
    method === "GET" ? { headers } : { method, headers: { ...headers, ...JSON_TYPE }, body: JSON.stringify(body) };
  const response = await handleV1(new Request(`http://localhost:3000/api/v1${path}`, init));
  const answer = (await response.json()) as Record<string, string>;
  const http = findRoute(path)?.methods.get(method)?.http;
  expect(http?.successStatuses ?? [200], `${method} ${path}: ${JSON.stringify(answer)}`).toContain(response.status);
  expect(http?.output, `${method} ${path}`).toBeDefined();
  expect(() => http?.output?.parse(answer)).not.toThrow();
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
