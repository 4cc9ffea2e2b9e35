import { z } from "zod";
import { type ActionDefinition, defineAction } from "@/server/domain/action";
import type { Facts } from "@/server/domain/facts";
import type { JsonObject } from "@/server/domain/json";
import type { ToolCall } from "@/server/domain/tool-request";

const NOW = new Date("2026-03-02T10:00:30.000Z");
const LATER = new Date("2026-04-01T00:00:00.000Z");

type Shape = Partial<{
  effect: "read" | "write";
  irreversible: boolean;
  outward: boolean;
  risk: "low" | "medium" | "high";
  priced: boolean;
}>;

const definitions = new Map<string, ActionDefinition>();

/** An action of the provider `unit` with the given nature, over `{target}`; the allow-list names targets. */
function unitAction(shape: Shape = {}): ActionDefinition {
  const key = JSON.stringify(shape);
  const known = definitions.get(key);
  if (known) return known;
  const made = defineAction<{ target: string }, { targets: string[] }>({
    name: "unit.act",
    provider: "unit",
    summary: "Acts.",
    capability: "unit",
    revision: 1,
    risk: shape.risk ?? "low",
    undo: null,
    price: shape.priced ? { micros: 5n, currency: "EUR" } : null,
    honoursIdempotencyKey: false,
    input: z.strictObject({ target: z.string() }),
    allowList: z.strictObject({ targets: z.array(z.string()).default([]) }),
    effect: () => shape.effect ?? "write",
    irreversible: () => shape.irreversible ?? false,
    outward: () => shape.outward ?? false,
    targets: ({ target }) => [target],
    refuse: (allow, { target }) =>
      allow.targets.includes(target) ? null : { field: "target", rule: "host_not_allowed" },
  });
  definitions.set(key, made);
  return made;
}

/** A call of `unitAction` on one target. */
export function unitCall(shape: Shape = {}, target = "known"): ToolCall {
  const action = unitAction(shape);
  const json: JsonObject = { target };
  const parsed = action.parse(json);
  if (!parsed.ok) throw new Error("the call of a test is valid");
  return {
    action,
    args: parsed.args,
    json,
    note: undefined,
    classification: action.classify(parsed.args, () => false),
  };
}

/** Facts under which `unitCall()` of an autonomous agent is allowed. */
export function allowingFacts(change: Partial<Facts> = {}): Facts {
  return {
    now: NOW,
    policyVersion: 1,
    deploymentLevel: null,
    session: { id: "ses_1", labels: [], origin: "hosted" },
    pending: 0,
    seenTargets: ["known"],
    seenByOrganization: ["known"],
    usage: { grt_1: { minute: 0, hour: 0, day: 0 } },
    budgets: [
      {
        id: "bud_1",
        scope: "organization",
        period: "month",
        currency: "EUR",
        capMicros: 100n,
        reservedMicros: 0n,
        spentMicros: 0n,
      },
    ],
    organization: { ruleVersion: 1, undoSeconds: 60 },
    controls: { version: 1, killLevel: null, readOnly: false, actionsOff: [] },
    agent: {
      id: "agt_1",
      name: "agent",
      ownerId: "mem_1",
      autonomy: "autonomous",
      isPaused: false,
      readOnly: false,
      pendingLimit: 20,
      departmentId: null,
      department: null,
    },
    key: { id: "key_1", issuedBy: "mem_1", isValid: true, expiresAt: LATER },
    connection: {
      id: "con_1",
      name: "connection",
      provider: "unit",
      account: "unit",
      status: "active",
      config: {},
      configVersion: 1,
      capabilities: ["unit"],
      sensitive: false,
    },
    credential: null,
    grants: [
      {
        id: "grt_1",
        version: 1,
        access: "write",
        actions: ["unit.act"],
        maxRisk: "high",
        allow: { "unit.act": { targets: ["known", "new"] } },
        perMinute: 10,
        perHour: 100,
        perDay: 1000,
        expiresAt: LATER,
      },
    ],
    rules: [],
    trusted: [],
    mandatoryActions: [],
    secretHits: [],
    isTakenUp: false,
    ...change,
  };
}
