import { beforeAll, describe, expect, it } from "vitest";
import { listRoutes, type Route } from "@/server/http/routes";
import { handleTrpc } from "@/server/http/trpc";
import { handleV1 } from "@/server/http/v1";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { type Caller, everyCaller, expectedRefusal, RIGHTS } from "@/test/db/http/callers";

const two = twoOrganizations();
const routes = listRoutes();
const ORIGIN = "http://localhost:3000";
/** No input has such a field: whoever passes the door is told so, and nothing is done. */
const JUNK = { unheardOf: 1 };

let callers: readonly Caller[];
beforeAll(async () => {
  callers = await everyCaller(two.ours);
});

type Heard = { readonly status: number; readonly code: string };

async function overHttp({ http }: Route, caller: Caller): Promise<Heard> {
  const path = http.path.replace(/\{\w+\}/g, "x");
  const hasQuery = http.method === "GET" || http.method === "DELETE";
  const response = await handleV1(
    new Request(`${ORIGIN}/api/v1${path}${hasQuery ? "?unheardOf=1" : ""}`, {
      method: http.method,
      headers: { ...caller.headers, ...(hasQuery ? {} : { "content-type": "application/json" }) },
      ...(hasQuery ? {} : { body: JSON.stringify(JUNK) }),
    }),
  );
  return { status: response.status, code: ((await response.json()) as { code: string }).code };
}

async function overTrpc({ name, http }: Route, caller: Caller): Promise<Heard> {
  const isQuery = http.method === "GET";
  const query = isQuery ? `?input=${encodeURIComponent(JSON.stringify(JUNK))}` : "";
  const response = await handleTrpc(
    new Request(`${ORIGIN}/api/trpc/${name}${query}`, {
      method: isQuery ? "GET" : "POST",
      headers: { ...caller.headers, ...(isQuery ? {} : { "content-type": "application/json" }) },
      ...(isQuery ? {} : { body: JSON.stringify(JUNK) }),
    }),
  );
  const answer = (await response.json()) as { error: { data: { reason: string } } };
  return { status: response.status, code: answer.error.data.reason };
}

const STATUS = { invalid_credential: 401, unauthenticated: 401, wrong_caller: 403, not_permitted: 403 } as const;

function expectHeard(heard: Heard, route: Route, caller: Caller): void {
  const refusal = expectedRefusal(caller, route.command);
  const expected = refusal === null ? { status: 422, code: "invalid" } : { status: STATUS[refusal], code: refusal };
  expect(heard, `${route.name} by ${caller.name}`).toEqual(expected);
}

describe("every procedure, by every kind of caller", () => {
  it.each(routes.map((route) => [route.name, route] as const))("%s", async (_name, route) => {
    await Promise.all(callers.map(async (caller) => expectHeard(await overHttp(route, caller), route, caller)));
    if (route.http.isDownload) return;
    await Promise.all(callers.map(async (caller) => expectHeard(await overTrpc(route, caller), route, caller)));
  });
});

describe("an agent's credential", () => {
  it("reaches these procedures and no other", () => {
    const agent = { name: "agent", kind: "agent", headers: {} } as const;
    const reached = routes.filter(({ command }) => expectedRefusal(agent, command) === null).map(({ name }) => name);
    expect(reached.sort()).toEqual([
      "me.get",
      "toolRequests.cancel",
      "toolRequests.get",
      "toolRequests.submit",
      "tools.list",
    ]);
  });

  it("never decides, configures, grants or manages", () => {
    for (const [permission, rule] of Object.entries(RIGHTS)) {
      const isActive = /:(manage|decide|resolve|activate|release|run)$/.test(permission);
      expect(isActive && rule.agent, permission).toBe(false);
    }
  });
});

describe("the list of procedures", () => {
  it("is made of commands alone, each with a route, a summary and a tag of its own", () => {
    for (const { name, http, command } of routes) {
      expect(command.commandName, name).toMatch(/^[a-z_]+\.[a-z_]+$/);
      expect(RIGHTS[command.permission], name).toBeDefined();
      expect(http.summary.length, name).toBeGreaterThan(5);
    }
    expect(new Set(routes.map(({ command }) => command.commandName)).size).toBe(routes.length);
  });
});
