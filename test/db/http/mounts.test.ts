import { beforeAll, describe, expect, it } from "vitest";
import * as authRoute from "@/app/api/auth/[...nextauth]/route";
import * as trpcRoute from "@/app/api/trpc/[trpc]/route";
import * as v1Route from "@/app/api/v1/[...path]/route";
import { handleAuth } from "@/server/http/auth";
import { handleTrpc } from "@/server/http/trpc";
import { handleV1 } from "@/server/http/v1";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { cookieOf } from "@/test/db/http/callers";

const two = twoOrganizations();
const ORIGIN = "http://localhost:3000";

type Handler = (request: Request) => Promise<Response>;
const mounts: readonly (readonly [string, Readonly<Record<string, unknown>>, Handler])[] = [
  ["/api/v1", v1Route, handleV1],
  ["/api/trpc", trpcRoute, handleTrpc],
  ["/api/auth", authRoute, handleAuth],
];

let cookies: Record<string, string>;
beforeAll(async () => {
  cookies = await cookieOf(two.ours.admin);
});

const JSON_TYPE = { "content-type": "application/json" };
const requests = (): [string, string, RequestInit][] => [
  ["/api/v1", "/me", {}],
  ["/api/v1", "/me", { headers: { authorization: `Bearer ${two.ours.agent.key}` } }],
  ["/api/v1", "/me", { method: "HEAD", headers: cookies }],
  ["/api/v1", "/agents?limit=1", { headers: cookies }],
  ["/api/v1", "/openapi.json", {}],
  ["/api/v1", "/nothing", {}],
  ["/api/v1", "/agents", { method: "DELETE", headers: cookies }],
  ["/api/v1", "/agents", { method: "OPTIONS" }],
  ["/api/v1", "/departments", { method: "POST", headers: { ...cookies, ...JSON_TYPE }, body: '{"a":1,"a":2}' }],
  ["/api/v1", "/members/mem_1", { method: "PATCH", headers: { ...cookies, ...JSON_TYPE }, body: "{}" }],
  ["/api/v1", "/controls/actions/x", { method: "PUT", headers: { ...cookies, ...JSON_TYPE }, body: "{}" }],
  ["/api/trpc", "/me.get?input={}", { headers: cookies }],
  ["/api/trpc", "/me.get?input={}", {}],
  ["/api/trpc", "/tokens.create", { method: "POST", headers: { ...cookies, ...JSON_TYPE }, body: '{"name":""}' }],
  ["/api/auth", "/session", { headers: cookies }],
  ["/api/auth", "/signin", {}],
];

/** An answer without what differs from call to call. */
async function seen(response: Response): Promise<unknown> {
  const headers = [...response.headers].filter(([name]) => !["x-request-id", "set-cookie"].includes(name));
  const text = (await response.text()).replace(/"(requestId|expires|lastUsedAt)":"[^"]+"/g, '"$1":"…"');
  return { status: response.status, headers, text };
}

describe("the route files that Vercel serves", () => {
  it("answer like the handlers that our own server serves", async () => {
    for (const [prefix, path, init] of requests()) {
      const [, route, handler] = mounts.find(([name]) => name === prefix) ?? [];
      const exported = route?.[init.method ?? "GET"] as Handler | undefined;
      const request = () => new Request(`${ORIGIN}${prefix}${path}`, init);
      const name = `${init.method ?? "GET"} ${prefix}${path}`;
      expect(exported, name).toBeTypeOf("function");
      if (exported && handler)
        expect(await seen(await exported(request())), name).toEqual(await seen(await handler(request())));
    }
  });

  it("export every method that the handlers answer, and are never cached", () => {
    expect(Object.keys(v1Route).sort()).toEqual([
      "DELETE",
      "GET",
      "HEAD",
      "OPTIONS",
      "PATCH",
      "POST",
      "PUT",
      "dynamic",
    ]);
    for (const [, route] of mounts) expect(route.dynamic).toBe("force-dynamic");
  });
});
