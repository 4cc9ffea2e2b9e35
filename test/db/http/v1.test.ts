import { beforeAll, describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { handleV1 } from "@/server/http/v1";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { cookieOf } from "@/test/db/http/callers";
import { testAgent, testToken } from "@/test/support/organization";

const two = twoOrganizations();
const ORIGIN = "http://localhost:3000";
const JSON_TYPE = { "content-type": "application/json" };

let token: string;
let asPerson: Record<string, string>;
let asAgent: Record<string, string>;
beforeAll(async () => {
  token = await testToken(two.ours.admin, ["read", "manage"]);
  asPerson = { authorization: `Bearer ${token}` };
  asAgent = { authorization: `Bearer ${two.ours.agent.key}` };
  await withOrgSql(two.ours.id, (q) => q.query("UPDATE organization SET request_burst = 10000"));
});

const call = (path: string, init: RequestInit = {}) => handleV1(new Request(`${ORIGIN}/api/v1${path}`, init));
const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  call(path, { method: "POST", headers: { ...asPerson, ...JSON_TYPE, ...headers }, body });
const heard = async (response: Response | Promise<Response>) => {
  const answer = await response;
  return { status: answer.status, ...((await answer.json()) as { code?: string; field?: string }) };
};

describe("a call over HTTP", () => {
  it("says to an agent and to a person whose credential it is, and does not let it be cached", async () => {
    const response = await call("/me", { headers: asAgent });
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await response.json()).toMatchObject({ kind: "agent", id: two.ours.agent.id });
    expect(await heard(call("/me", { headers: asPerson }))).toMatchObject({
      kind: "member",
      role: "admin",
      via: "token",
    });
  });

  it.each([
    ["none", {}],
    ["nonsense", { authorization: "Bearer csk_agent_nonsense" }],
    ["another scheme", { authorization: "Basic YTpi" }],
    ["two in one header", { authorization: "Bearer a, Bearer b" }],
  ])("is answered with 401 and a problem document when the credential is %s", async (_case, headers) => {
    const response = await call("/me", { headers: headers as Record<string, string> });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="countersign"');
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      type: expect.stringMatching(/^urn:countersign:problem:/),
      title: expect.any(String),
      status: 401,
      detail: expect.any(String),
      code: expect.any(String),
      requestId: response.headers.get("x-request-id"),
    });
  });

  it("is told alike that an organization, a key and a secret do not exist", async () => {
    const { key } = two.ours.agent;
    const revoked = await withOrgSql(two.ours.id, async (q) => {
      const agent = await testAgent(q, two.ours.owner.id);
      await q.query("UPDATE agent_key SET revoked_at = now() WHERE id = $1", [agent.keyId]);
      return agent.key;
    });
    const answers = [];
    for (const wrong of [revoked, key.replace(/_[^_]{43}_/, `_${"a".repeat(43)}_`)]) {
      const { requestId: _, ...rest } = (await heard(
        call("/me", { headers: { authorization: `Bearer ${wrong}` } }),
      )) as { requestId?: string };
      answers.push(rest);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  it("with a cookie and a bearer token is refused", async () => {
    const both = { ...(await cookieOf(two.ours.admin)), ...asPerson };
    expect(await heard(call("/me", { headers: both }))).toMatchObject({ status: 400, code: "two_credentials" });
  });

  it("to no path is 404, to another method 405 with Allow, and HEAD answers like GET without a body", async () => {
    expect(await heard(call("/nothing/here"))).toMatchObject({ status: 404, code: "not_found" });
    expect(await heard(call("/me/", { headers: asPerson }))).toMatchObject({ status: 404 });
    expect(await heard(call("/%zz"))).toMatchObject({ status: 404 });
    const wrong = await call("/agents", { method: "DELETE", headers: asPerson });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET, POST, HEAD");
    const head = await call("/me", { method: "HEAD", headers: asPerson });
    expect({ status: head.status, type: head.headers.get("content-type"), body: await head.text() }).toEqual({
      status: 200,
      type: "application/json",
      body: "",
    });
  });

  it("beyond the rate limit is 429 with a Retry-After, and counted", async () => {
    const agent = await withOrgSql(two.theirs.id, async (q) => {
      await q.query("UPDATE organization SET requests_per_minute = 60, request_burst = 2");
      return testAgent(q, two.theirs.owner.id);
    });
    const headers = { authorization: `Bearer ${agent.key}` };
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push(await call("/me", { headers }));
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(statuses[2]?.headers.get("retry-after")).toBe("1");
    const { rows } = await withOrgSql(two.theirs.id, (q) =>
      q.query("SELECT kind, count FROM refusal_count WHERE subject = $1", [agent.keyId]),
    );
    expect(rows).toEqual([{ kind: "rate_limited", count: 1 }]);
  });
});

describe("a body", () => {
  it.each([
    ["no JSON", "{", 400, "json_syntax"],
    ["more than one value", "{} {}", 400, "json_trailing_text"],
    ["a duplicate key", '{"name":"a","name":"b"}', 422, "json_duplicate_key"],
    ["an unsafe number", '{"name":9007199254740993}', 422, "json_unsafe_number"],
    ["NUL", '{"name":"a\\u0000"}', 422, "json_nul"],
    ["half a surrogate pair", '{"name":"\\ud800"}', 422, "json_lone_surrogate"],
    ["a forbidden key", '{"__proto__":{}}', 422, "json_forbidden_key"],
    ["too many levels", `{"name":${"[".repeat(40)}${"]".repeat(40)}}`, 422, "json_too_deep"],
    ["an array", "[]", 422, "not_an_object"],
    ["an unknown field", '{"name":"a","unheardOf":1}', 422, "invalid"],
  ])("with %s is refused by name", async (_case, body, status, code) => {
    expect(await heard(post("/departments", body))).toMatchObject({ status, code });
  });

  it("of another type is 415, and one that is not UTF-8 is refused", async () => {
    expect(await heard(post("/departments", "name=a", { "content-type": "text/plain" }))).toMatchObject({
      status: 415,
      code: "not_json",
    });
    expect(
      await heard(post("/departments", "{}", { "content-type": "application/json; charset=utf-16" })),
    ).toMatchObject({ status: 415 });
    expect(await heard(post("/departments", new Uint8Array([0x7b, 0xff, 0x7d])))).toMatchObject({
      status: 400,
      code: "json_invalid_utf8",
    });
  });

  it("of more than 1 MiB is 413, announced or not", async () => {
    const large = JSON.stringify({ name: "x".repeat(1_048_576) });
    expect(await heard(post("/departments", large))).toMatchObject({ status: 413, code: "body_too_large" });
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
      },
    });
    const init = {
      method: "POST",
      headers: { ...asPerson, ...JSON_TYPE },
      body: stream,
      duplex: "half",
    } as RequestInit;
    expect(await heard(call("/departments", init))).toMatchObject({ status: 413, code: "body_too_large" });
  });

  it("may not name again what the path names", async () => {
    const { id } = two.ours.member;
    const answer = await call(`/members/${id}`, {
      method: "PATCH",
      headers: { ...asPerson, ...JSON_TYPE },
      body: JSON.stringify({ id: two.ours.auditor.id, name: "Other" }),
    });
    expect(await heard(answer)).toMatchObject({ status: 422, code: "field_given_twice", field: "id" });
  });

  it("is looked at only after the permission", async () => {
    const asMember = { authorization: `Bearer ${await testToken(two.ours.member, ["manage"])}` };
    expect(await heard(post("/departments", '{"unheardOf":1}', asMember))).toMatchObject({
      status: 403,
      code: "not_permitted",
    });
  });
});

describe("a query string", () => {
  it("reads numbers and flags by the schema", async () => {
    expect(await heard(call("/members?limit=2", { headers: asPerson }))).toMatchObject({
      status: 200,
      items: [{}, {}],
    });
    expect(await heard(call("/tool-requests?proposals=true", { headers: asPerson }))).toMatchObject({ status: 200 });
  });

  it.each([
    ["?limit=two", "limit"],
    ["?limit=1e1", "limit"],
    ["?limit=1&limit=2", "limit"],
    ["?limit=", "limit"],
    ["?unheardOf=1", "unheardOf"],
    ["?cursor=%00", "cursor"],
  ])("is refused by name: %s", async (query, field) => {
    expect(await heard(call(`/members${query}`, { headers: asPerson }))).toMatchObject({ status: 422, field });
  });

  it("holds no number that the database could not compare", async () => {
    for (const path of ["/rule-sets?cursor=211443049012", "/controls/changes?cursor=211443049012"]) {
      expect(await heard(call(path, { headers: asPerson })), path).toMatchObject({ status: 422, field: "cursor" });
    }
  });

  it("has no place where a body has", async () => {
    expect(await heard(post("/departments?name=a", "{}"))).toMatchObject({ status: 422, field: "name" });
  });
});
