import { describe, expect, it } from "vitest";
import { findRoute } from "@/server/http/routes";
import { handleV1 } from "@/server/http/v1";
import type { HttpMethod } from "@/server/trpc/meta";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { type TestPerson, testToken } from "@/test/support/organization";

const two = twoOrganizations();

/** Whatever succeeds must be what OpenAPI says it is. */
function requireDescribed(method: string, path: string, answer: unknown): void {
  const route = findRoute(path.split("?")[0] ?? "")?.methods.get(method as HttpMethod);
  expect(route?.http.output, `${method} ${path} describes its answer`).toBeDefined();
  expect(route?.http.output?.safeParse(answer).error).toBeUndefined();
}

async function call(key: string, method: string, path: string, body?: unknown) {
  const response = await handleV1(
    new Request(`http://localhost:3000/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.ok) requireDescribed(method, path, answer);
  return { status: response.status, body: answer };
}
const as = async (person: TestPerson) => {
  const key = await testToken(person, ["read", "manage"]);
  return (method: string, path: string, body?: unknown) => call(key, method, path, body);
};

describe("the admin surface over HTTP", () => {
  it("takes an agent from nothing to a working grant, and answers in plain JSON", async () => {
    const admin = await as(two.ours.admin);
    const agent = await admin("POST", "/agents", { name: "Over HTTP" });
    expect(agent).toMatchObject({
      status: 201,
      body: { name: "Over HTTP", version: 1, createdAt: expect.any(String) },
    });
    const { id } = agent.body;
    const key = await admin("POST", `/agents/${id}/keys`, { expiresInDays: 1 });
    expect(key.body.key).toMatch(/^csk_agent_/);
    const connection = await admin("POST", "/connections", { provider: "http", name: "Over HTTP", config: {} });
    const grant = await admin("POST", "/grants", {
      agentId: id,
      connectionId: connection.body.id,
      actions: ["http.request"],
    });
    expect(grant).toMatchObject({ status: 201, body: { access: "read", version: 1 } });
    expect((await admin("PATCH", `/grants/${grant.body.id}`, { version: 1, perDay: 5 })).body).toMatchObject({
      version: 2,
    });
    expect((await admin("PATCH", `/grants/${grant.body.id}`, { version: 1, perDay: 6 })).status).toBe(409);
    expect((await admin("GET", `/grants?agentId=${id}&limit=1`)).body.items).toHaveLength(1);
    expect((await call(String(key.body.key), "GET", "/agents")).status).toBe(403);
    expect((await admin("GET", `/agents/${id}/keys`)).body.items).toMatchObject([{ id: key.body.id, isValid: true }]);
    for (const path of ["/agents", "/connections", "/departments", "/organization", "/trusted-destinations"]) {
      expect((await admin("GET", path)).status).toBe(200);
    }
  });

  it("writes money as decimal text and takes it as such", async () => {
    const admin = await as(two.ours.admin);
    const cap = { scope: "request", currency: "EUR", capMicros: "9007199254740993" };
    const budget = await admin("POST", "/budgets", cap);
    expect(budget.body).toMatchObject({ capMicros: "9007199254740993", spentMicros: "0" });
    expect((await admin("POST", "/budgets", { ...cap, currency: "CHF", capMicros: 5 })).status).toBe(422);
  });

  it("says where a rule's condition goes wrong", async () => {
    const admin = await as(two.ours.admin);
    const rule = await admin("POST", "/rules", { name: "Wrong", verdict: "deny", condition: "risk ==" });
    expect(rule).toMatchObject({ status: 422, body: { code: "rule_condition", field: "condition", line: 1 } });
    const made = await admin("POST", "/rules", { name: "Right", verdict: "deny", condition: 'risk == "high"' });
    expect(made.status).toBe(201);
    expect((await admin("GET", "/rule-sets")).body.items).toMatchObject([
      { version: 1, rules: ["Right"] },
      { version: 0 },
    ]);
  });

  it("stops and lets go with the shapes that the contract names", async () => {
    const [owner, admin, member] = [await as(two.ours.owner), await as(two.ours.admin), await as(two.ours.member)];
    const free = await member("GET", "/controls");
    expect(free).toMatchObject({ status: 200, body: { killSwitch: null, readOnly: false, actionsOff: [] } });
    const stopped = await admin("POST", "/controls/kill-switch", { level: "lockdown", reason: "Odd mails." });
    expect(stopped).toMatchObject({ status: 200, body: { version: 2 } });
    expect((await member("GET", "/controls")).body).toMatchObject({
      version: 2,
      killSwitch: { level: "lockdown", by: two.ours.admin.id, at: expect.any(String), reason: "Odd mails." },
    });
    expect((await admin("POST", "/controls/release", { version: 2, reason: "Fixed." })).status).toBe(403);
    expect((await owner("POST", "/controls/release", { version: 1, reason: "Fixed." })).status).toBe(409);
    expect((await owner("POST", "/controls/release", { version: 2, reason: "" })).status).toBe(422);
    expect((await owner("POST", "/controls/release", { version: 2, reason: "Fixed." })).body).toEqual({ version: 3 });
    await admin("PUT", "/controls/actions/email.send", { enabled: false, reason: "The provider is down." });
    await admin("POST", "/controls/read-only", { enabled: true, reason: "Stocktaking." });
    const { body } = await member("GET", "/controls");
    expect(body).toMatchObject({ version: 5, readOnly: true, actionsOff: ["email.send"] });
    expect((await member("GET", "/controls/changes?limit=2")).body).toMatchObject({ nextCursor: 4 });
  });

  it("trusts and untrusts a destination, and hides what belongs to others", async () => {
    const [ours, theirs] = [await as(two.ours.admin), await as(two.theirs.admin)];
    const made = await ours("POST", "/trusted-destinations", { kind: "email_domain", value: ".corp.example" });
    expect((await theirs("DELETE", `/trusted-destinations/${made.body.id}`)).status).toBe(404);
    expect((await ours("DELETE", `/trusted-destinations/${made.body.id}`)).status).toBe(200);
    expect((await theirs("PATCH", `/agents/${two.ours.agent.id}`, { version: 1 })).status).toBe(404);
    expect((await theirs("GET", `/agents/${two.ours.agent.id}/keys`)).status).toBe(404);
  });

  it("changes nothing for a token that may only read", async () => {
    const key = await testToken(two.ours.admin, ["read"]);
    expect((await call(key, "POST", "/agents", { name: "No" })).status).toBe(403);
    expect((await call(key, "POST", "/controls/kill-switch", { level: "freeze", reason: "No." })).status).toBe(403);
    expect((await call(key, "GET", "/agents")).status).toBe(200);
  });
});
