import { beforeAll, describe, expect, it } from "vitest";
import { withOrgSql } from "@/server/db/with-org";
import { listRoutes, type Route } from "@/server/http/routes";
import { handleV1 } from "@/server/http/v1";
import { setAbsenceFor } from "@/server/services/absences/set";
import { giveRight } from "@/server/services/approval-rights/give";
import { createDepartment } from "@/server/services/departments/create";
import { trustDestination } from "@/server/services/destinations/trust";
import { submitToolRequest } from "@/server/services/requests/submit";
import { createRule } from "@/server/services/rules/create";
import { twoOrganizations } from "@/test/db/admin/fixture";
import { cookieOf } from "@/test/db/http/callers";
import { testToken } from "@/test/support/organization";
import { registerTestTools, testGrant } from "@/test/support/test-tools";

const two = twoOrganizations();
const routes = listRoutes();

/** Input that a procedure needs besides ids, so that it looks for what they name. */
const BODIES: Readonly<Record<string, object>> = {
  "agents.change": { version: 1, name: "taken over" },
  "approvals.decide": { decision: "reject", digest: "0".repeat(64) },
  "approvals.edit": { digest: "0".repeat(64), arguments: {} },
  "budgets.change": { version: 1, capMicros: "1" },
  "connections.change": { configVersion: 1, name: "taken over" },
  "connections.setCredential": { credential: { kind: "header", name: "x-key", value: "stolen-stolen" } },
  "departments.rename": { name: "taken over" },
  "grants.change": { version: 1, perMinute: 1 },
  "members.change": { role: "auditor" },
  "rules.change": { version: 1, name: "taken over" },
  "toolRequests.resolve": { outcome: "done", reason: "because" },
};

let ids: Readonly<Record<string, string>>;
let secretIds: readonly string[];
let callers: Readonly<Record<CallerName, Record<string, string>>>;

beforeAll(async () => {
  registerTestTools();
  const { ours, theirs } = two;
  const { connectionId, grantId } = await testGrant(ours, "/dev/null");
  const asked = await submitToolRequest(ours.agent.actor, {
    action: "test.final",
    connection: connectionId,
    arguments: { target: "a" },
  });
  const rule = await createRule(ours.owner.actor, { name: "r", verdict: "approval", condition: "amount > 1.0" });
  const right = await giveRight(ours.owner.actor, { member: ours.member.id, maxRisk: "low" });
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const away = { member: ours.approver.id, until, delegate: ours.admin.id };
  const absence = await setAbsenceFor(ours.owner.actor, away);
  const department = await createDepartment(ours.owner.actor, { name: "d" });
  const destination = await trustDestination(ours.owner.actor, { kind: "host", value: "api.corp.example" });
  const token = await testToken(ours.approver, ["read"]);
  await cookieOf(ours.approver);
  const first = async (table: string) =>
    withOrgSql(
      ours.id,
      async (q) => (await q.query<{ id: string }>(`SELECT id FROM ${table} LIMIT 1`)).rows[0]?.id ?? "",
    );
  ids = {
    agents: ours.agent.id,
    approvals: asked.approval?.id ?? "",
    absences: absence.id,
    "approval-rights": right.id,
    budgets: await first("budget"),
    connections: connectionId,
    departments: department.id,
    grants: grantId,
    members: ours.member.id,
    rules: rule.id,
    "trusted-destinations": destination.id,
    "tool-requests": asked.id,
    "sign-ins": await first("sign_in"),
    tokens: await first("personal_token"),
    keyId: ours.agent.keyId,
  };
  expect(token).toContain(ours.id.slice(4));
  secretIds = [ours.id, ours.owner.id, ours.approver.id, ...Object.values(ids)];
  callers = {
    "owner by cookie": await cookieOf(theirs.owner),
    "owner by token": { authorization: `Bearer ${await testToken(theirs.owner, ["read", "manage", "decide"])}` },
    agent: { authorization: `Bearer ${theirs.agent.key}` },
  };
});

/** The id that a path's parameter means: by its own name, or by the noun before it. */
function pathOf({ segments }: Route): string {
  const filled = segments.map((segment, at) => {
    if (!segment.startsWith("{")) return segment;
    const id = ids[segment.slice(1, -1)] ?? ids[segments[at - 1] ?? ""];
    if (!id) throw new Error(`this test has no id for ${segments.join("/")}`);
    return id;
  });
  return `/${filled.join("/")}`;
}

function call(route: Route, path: string, headers: Record<string, string>): Promise<Response> {
  const { method } = route.http;
  const hasBody = method !== "GET" && method !== "DELETE";
  return handleV1(
    new Request(`http://localhost:3000/api/v1${path}`, {
      method,
      headers: { ...headers, ...(hasBody ? { "content-type": "application/json" } : {}) },
      ...(hasBody ? { body: JSON.stringify(BODIES[route.name] ?? {}) } : {}),
    }),
  );
}

const namesOurs = routes.filter(({ http }) => /\{(id|keyId)\}/.test(http.path));
const readsAll = routes.filter(({ http }) => http.method === "GET" && !http.path.includes("{"));

const TABLES = [
  "organization",
  "member",
  "sign_in",
  "setup_link",
  "personal_token",
  "agent",
  "agent_key",
  "connection",
  "credential",
  "trusted_destination",
  "agent_grant",
  "rule",
  "rule_set",
  "control_state",
  "tool_request",
  "approval",
  "decision",
  "request_edit",
  "budget",
  "department",
  "audit_event",
];
const stateOfOurs = () =>
  withOrgSql(two.ours.id, async (q) => {
    const state: Record<string, string | undefined> = {};
    for (const table of TABLES) {
      const { rows } = await q.query<{ hash: string }>(
        `SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS hash FROM ${table} t`,
      );
      state[table] = rows[0]?.hash;
    }
    return state;
  });

const CALLERS = ["owner by cookie", "owner by token", "agent"] as const;
type CallerName = (typeof CALLERS)[number];
const pairs = (list: readonly Route[]) =>
  list.flatMap((route) => CALLERS.map((caller) => [route.name, caller, route] as const));

/** What they hear: nothing is there, or that the procedure is not for them at all. */
function answerFor({ command }: Route, caller: CallerName): object {
  const isCaller = command.callers.includes(caller === "agent" ? "agent" : "member");
  if (!isCaller) return { status: 403, code: "wrong_caller" };
  const isBeyondToken = caller === "owner by token" && command.permission === "self:manage";
  return isBeyondToken ? { status: 403, code: "not_permitted" } : { status: 404, code: "not_found" };
}

describe("somebody with every right in another organization", () => {
  let before: Awaited<ReturnType<typeof stateOfOurs>>;
  beforeAll(async () => {
    before = await stateOfOurs();
  });

  it.each(pairs(namesOurs))("finds nothing behind our ids: %s by the %s", async (_name, caller, route) => {
    const response = await call(route, pathOf(route), callers[caller]);
    const { code } = (await response.json()) as { code: string };
    expect({ status: response.status, code }).toEqual(answerFor(route, caller));
  });

  it("changes nothing of ours", async () => {
    expect(await stateOfOurs()).toEqual(before);
  });

  it.each(pairs(readsAll))("reads no id of ours: %s by the %s", async (_name, caller, route) => {
    const path = route.http.isDownload ? `${route.http.path}?format=jsonl` : route.http.path;
    const response = await call(route, path, callers[caller]);
    const body = await response.text();
    expect(secretIds.filter((id) => body.includes(id))).toEqual([]);
    // What is answered is what OpenAPI says.
    if (response.ok && !route.http.isDownload) expect(() => route.http.output?.parse(JSON.parse(body))).not.toThrow();
  });
});

describe("a key, token or cookie", () => {
  it("does not open another organization by naming it", async () => {
    const { ours, theirs } = two;
    const swapped = [theirs.agent.key, await testToken(theirs.owner, ["read"])].map((key) =>
      key.replace(theirs.id.slice(4), ours.id.slice(4)),
    );
    for (const key of swapped) {
      const response = await handleV1(
        new Request("http://localhost:3000/api/v1/me", { headers: { authorization: `Bearer ${key}` } }),
      );
      expect(response.status).toBe(401);
    }
  });
});
