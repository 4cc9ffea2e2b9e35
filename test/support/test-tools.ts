import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { connectLocalEngine } from "@/inngest/client";
import { registerProvider } from "@/server/connectors/perform";
import { newId } from "@/server/db/new-id";
import { type OrgSql, withOrgSql } from "@/server/db/with-org";
import { type ActionSpec, defineAction } from "@/server/domain/action";
import { registerAction } from "@/server/domain/actions/registry";
import type { TestOrganization } from "./organization";

type Args = { target: string; text?: string | undefined; amount?: string | undefined; to?: string[] | undefined };
type Allow = { targets: string[] };
const config = z.strictObject({ file: z.string() });

const spec = (name: string, more: Partial<ActionSpec<Args, Allow>>) =>
  defineAction<Args, Allow>({
    name,
    provider: "test",
    summary: "An action of the tests.",
    capability: "test",
    revision: 1,
    risk: "low",
    undo: null,
    price: null,
    honoursIdempotencyKey: false,
    input: z.strictObject({ target: z.string().min(1).max(100), text: z.string().max(10_000).optional() }),
    allowList: z.strictObject({ targets: z.array(z.string()).default([]) }),
    effect: () => "write",
    irreversible: () => false,
    outward: () => false,
    targets: (args) => [args.target],
    refuse: (allow, args) =>
      allow.targets.includes(args.target) || allow.targets.includes("*")
        ? null
        : { field: "target", rule: "host_not_allowed" },
    ...more,
  });

let isRegistered = false;

/** Actions whose effect is a line in a file, so that every performance can be counted, whichever process it was. */
export function registerTestTools(): void {
  if (isRegistered) return;
  isRegistered = true;
  // Durable work is driven by hand in these tests: an event is taken and goes nowhere.
  connectLocalEngine(async () => Response.json({ ids: [], status: 200 }));
  for (const action of [
    spec("test.read", { effect: () => "read" }),
    spec("test.write", { headline: (args) => `Write to ${args.target}` }),
    spec("test.final", { irreversible: () => true }),
    spec("test.undoable", { irreversible: () => true, undo: { defaultS: 60, minS: 60, maxS: 300 } }),
    spec("test.priced", { price: { micros: 1_000_000n, currency: "USD" } }),
    spec("test.high", { risk: "high" }),
    spec("test.order", {
      irreversible: () => true,
      input: z.strictObject({
        target: z.string().min(1).max(100),
        text: z.string().max(10_000).optional(),
        amount: z.string().max(20).optional(),
        to: z.array(z.string().max(100)).max(10).optional(),
      }),
      edits: { text: "text", amount: "lower", to: "drop" },
    }),
  ]) {
    registerAction(action);
  }
  registerProvider({
    name: "test",
    capabilities: ["test"],
    config,
    credentialKinds: ["header"],
    account: () => "test",
    perform: async (call) => {
      const args = call.args as Args;
      appendFileSync(config.parse(call.config).file, `${call.requestId} ${call.action} ${args.target}\n`);
      if (args.text === "fail") return { kind: "failed", code: "test_failed", message: "It failed." };
      if (args.text === "throw") throw new Error("a bug");
      return { kind: "succeeded", result: { target: args.target, secret: args.text ?? null } };
    },
  });
}

/** The lines that effects left in a file. */
export const effectsIn = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];

export type TestGrant = { readonly connectionId: string; readonly grantId: string };

type GrantSettings = {
  actions?: string[];
  access?: "read" | "write";
  maxRisk?: string;
  perMinute?: number;
  perDay?: number;
  targets?: string[];
};

/** A connection of the test provider and a grant of `organization`'s agent over it. */
export function testGrant(
  organization: TestOrganization,
  file: string,
  settings: GrantSettings = {},
): Promise<TestGrant> {
  return withOrgSql(organization.id, async (q) => {
    const connectionId = newId("connection");
    await q.query(
      `INSERT INTO connection (id, org_id, provider, name, account, config, capabilities, created_by)
       VALUES ($1, $2, 'test', $1, 'test', $3, ARRAY['test'], $4)`,
      [connectionId, q.orgId, JSON.stringify({ file }), organization.admin.id],
    );
    return { connectionId, grantId: await addGrant(q, organization, connectionId, settings) };
  });
}

/** One more grant over the same connection. */
async function addGrant(
  q: OrgSql,
  organization: TestOrganization,
  connectionId: string,
  settings: GrantSettings,
): Promise<string> {
  const grantId = newId("grant");
  const actions = settings.actions ?? [
    "test.read",
    "test.write",
    "test.final",
    "test.undoable",
    "test.priced",
    "test.high",
    "test.order",
  ];
  const allow = Object.fromEntries(actions.map((action) => [action, { targets: settings.targets ?? ["*"] }]));
  await q.query(
    `INSERT INTO agent_grant (id, org_id, agent_id, connection_id, access, actions, max_risk, allow, per_minute, per_day, expires_at, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + interval '30 days', $11)`,
    [
      grantId,
      q.orgId,
      organization.agent.id,
      connectionId,
      settings.access ?? "write",
      actions,
      settings.maxRisk ?? "high",
      JSON.stringify(allow),
      settings.perMinute ?? null,
      settings.perDay ?? null,
      organization.admin.id,
    ],
  );
  return grantId;
}

/** Lets the clock of a scheduled request run out, as the owner of the tables. */
export const makeDue = (orgId: string, requestId: string): Promise<void> =>
  withOrgSql(orgId, async (q) => {
    await q.query("UPDATE tool_request SET runs_at = clock_timestamp() WHERE id = $1", [requestId]);
  });
