import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closePrisma } from "@/server/db/client";
import { closePools } from "@/server/db/pools";
import { handleV1 } from "@/server/http/v1";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { type TestOrganization, testOrganization, testToken } from "@/test/support/organization";

let database: TestDatabase;
let organization: TestOrganization;
beforeAll(async () => {
  database = await freshDatabase();
  organization = await testOrganization();
});
afterAll(async () => {
  await closePrisma();
  await closePools();
  await database.drop();
});

const call = (path: string, init: RequestInit = {}) =>
  handleV1(new Request(`http://localhost:3000/api/v1${path}`, init));
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe("/api/v1", () => {
  it("says to an agent and to a person whose credential it is", async () => {
    const asAgent = await call("/me", { headers: bearer(organization.agent.key) });
    expect(asAgent.status).toBe(200);
    expect(await asAgent.json()).toMatchObject({ kind: "agent", id: organization.agent.id });
    const token = await testToken(organization.approver, ["read"]);
    expect(await (await call("/me", { headers: bearer(token) })).json()).toMatchObject({
      kind: "member",
      role: "approver",
      via: "token",
    });
  });

  it("answers 401 with a problem document to no credential and to a wrong one", async () => {
    for (const headers of [{}, bearer("csk_agent_nonsense"), bearer(organization.agent.key.replace(/.$/, "?"))]) {
      const response = await call("/me", { headers });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain("Bearer");
      expect(response.headers.get("content-type")).toBe("application/problem+json");
    }
  });

  it("serves its own description without a credential", async () => {
    const response = await call("/openapi.json");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      openapi: "3.1.0",
      paths: { "/me": { get: { operationId: "me.get" } } },
    });
  });
});
