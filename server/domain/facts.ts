import { z } from "zod";
import { riskSchema } from "@/server/domain/action";
import { trustedDestinationSchema } from "@/server/domain/destination";
import { ruleSetSchema } from "@/server/domain/rule";

/** What the checks know. It comes from the database as one document and is checked like any other input. */
export const AUTONOMY = ["suggest", "approve_each", "supervised", "autonomous"] as const;
export const autonomySchema = z.enum(AUTONOMY);
export type Autonomy = z.infer<typeof autonomySchema>;

export const KILL_LEVELS = ["freeze", "lockdown"] as const;
export const killLevelSchema = z.enum(KILL_LEVELS);

export const SESSION_LABELS = ["unverified", "untrusted", "sensitive"] as const;
const sessionLabelSchema = z.enum(SESSION_LABELS);
export type SessionLabel = z.infer<typeof sessionLabelSchema>;

const at = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const count = z.int().min(0);
const micros = z.string().transform((text) => BigInt(text));

export const grantFactSchema = z.object({
  id: z.string(),
  version: z.int(),
  access: z.enum(["read", "write"]),
  actions: z.array(z.string()),
  maxRisk: riskSchema,
  allow: z.record(z.string(), z.unknown()),
  perMinute: z.int().nullable(),
  perHour: z.int().nullable(),
  perDay: z.int().nullable(),
  expiresAt: at.nullable(),
});
export type GrantFact = z.infer<typeof grantFactSchema>;

/** What only a change of configuration changes: the same for one agent, key, connection and policy version. */
export const policyFactsSchema = z.object({
  organization: z.object({ ruleVersion: z.int(), undoSeconds: z.int() }),
  controls: z
    .object({
      version: z.int(),
      killLevel: killLevelSchema.nullable(),
      readOnly: z.boolean(),
      actionsOff: z.array(z.string()),
    })
    .nullable(),
  agent: z.object({
    id: z.string(),
    name: z.string(),
    ownerId: z.string(),
    autonomy: autonomySchema,
    isPaused: z.boolean(),
    /** Why, where nobody decided about the agent itself. */
    pausedFor: z.literal("owner_disabled").nullish(),
    readOnly: z.boolean(),
    pendingLimit: z.int(),
    departmentId: z.string().nullable(),
    department: z.string().nullable(),
  }),
  key: z
    .object({
      id: z.string(),
      issuedBy: z.string(),
      isValid: z.boolean(),
      /** Why it is not valid, where nobody decided about the key itself. */
      revokedFor: z.literal("issuer_disabled").nullish(),
      expiresAt: at,
    })
    .nullable(),
  connection: z
    .object({
      id: z.string(),
      name: z.string(),
      provider: z.string(),
      account: z.string(),
      status: z.string(),
      config: z.record(z.string(), z.unknown()),
      configVersion: z.int(),
      capabilities: z.array(z.string()),
      sensitive: z.boolean(),
    })
    .nullable(),
  credential: z.object({ id: z.string(), version: z.int(), kind: z.string() }).nullable(),
  grants: z.array(grantFactSchema),
  rules: ruleSetSchema,
  trusted: z.array(trustedDestinationSchema),
});
export type PolicyFacts = z.infer<typeof policyFactsSchema>;

const usageSchema = z.object({ minute: count, hour: count, day: count });

/** What changes from call to call, with the policy part unless the caller already has that version. */
export const loadedFactsSchema = z.object({
  now: at,
  policyVersion: z.int(),
  deploymentLevel: killLevelSchema.nullable(),
  session: z.object({ id: z.string(), labels: z.array(sessionLabelSchema), origin: z.string() }),
  pending: count,
  /** Of the call's targets, those that this agent reached over this connection before. */
  seenTargets: z.array(z.string()),
  /** Of the call's targets, those that any agent reached over any connection before. */
  seenByOrganization: z.array(z.string()),
  existing: z.object({ id: z.string(), hash: z.string() }).nullable(),
  usage: z.record(z.string(), usageSchema),
  budgets: z.array(
    z.object({
      id: z.string(),
      scope: z.enum(["request", "agent", "department", "organization"]),
      period: z.enum(["request", "day", "month"]),
      currency: z.string(),
      capMicros: micros,
      reservedMicros: micros,
      spentMicros: micros,
    }),
  ),
  policy: policyFactsSchema.nullable(),
});
export type LoadedFacts = z.infer<typeof loadedFactsSchema>;
export type BudgetFact = LoadedFacts["budgets"][number];

/** Everything a check may read about one call. Checks never fetch, wait or look at a clock. */
export type Facts = Omit<LoadedFacts, "policy" | "existing"> &
  PolicyFacts & {
    /** The operator's list of actions that always ask. */
    readonly mandatoryActions: readonly string[];
    /** Where the outgoing text looks like a secret: field and kind, never the value. */
    readonly secretHits: readonly { readonly field: string; readonly kind: string }[];
    /** Whether this is the taking up of a proposal by a person. */
    readonly isTakenUp: boolean;
  };
