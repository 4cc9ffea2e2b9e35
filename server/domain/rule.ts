import { z } from "zod";
import type { Effect, Risk } from "@/server/domain/action";
import type { AmountDoubt } from "@/server/domain/amount-text";
import { idOf } from "@/server/domain/ids";
import type { JsonObject } from "@/server/domain/json";
import { approverRoleSchema } from "@/server/domain/roles";
import { oneLineText } from "@/server/domain/text";

export const RULE_VERDICTS = ["deny", "approval"] as const;

export const MAX_CONDITION_LENGTH = 2_000;
export const MAX_RULES = 200;
const MAX_EXPIRES_MINUTES = 7 * 24 * 60;

/** Zero is never: it waits until somebody decides. */
const expiresSchema = z
  .int()
  .min(0)
  .max(MAX_EXPIRES_MINUTES)
  .describe("Minutes after which what nobody decided expires; 0 is never. Of several rules the shortest time counts.");
const peopleSchema = z.union([z.literal(1), z.literal(2)]);
export type People = z.infer<typeof peopleSchema>;

const named = { name: oneLineText(120), condition: z.string().min(1).max(MAX_CONDITION_LENGTH) };
/** In shadow a rule is evaluated and recorded, never enforced. */
const draft = { ...named, isShadow: z.boolean().optional() };
/** Absent where it is enforced, as in every version before there was a shadow. */
const stored = { id: idOf("rule"), ...named, isShadow: z.literal(true).optional() };

/** A rule as an admin writes it. Who must approve, and until when, means nothing on a denial and is refused there. */
export const ruleInputSchema = z.discriminatedUnion("verdict", [
  z.strictObject({ ...draft, verdict: z.literal("deny") }),
  z.strictObject({
    ...draft,
    verdict: z.literal("approval"),
    requiredRole: approverRoleSchema.optional(),
    people: peopleSchema.optional(),
    expiresMinutes: expiresSchema.optional(),
    secondIfQuick: z.boolean().optional(),
  }),
]);

/** A rule of a stored rule set. */
export const ruleSchema = z.discriminatedUnion("verdict", [
  z.strictObject({ ...stored, verdict: z.literal("deny") }),
  z.strictObject({
    ...stored,
    verdict: z.literal("approval"),
    requiredRole: approverRoleSchema.optional(),
    people: peopleSchema.optional(),
    expiresMinutes: expiresSchema.optional(),
    /** Two people where the first approved faster than it can be read. */
    secondIfQuick: z.boolean().optional(),
  }),
]);
export type Rule = z.infer<typeof ruleSchema>;

/** The enabled rules of an organization, as one JSON column holds them. */
export const ruleSetSchema = z.array(ruleSchema).max(MAX_RULES);

/** What a rule may look at. `rule-engine/environment.ts` says how each appears in a condition. */
export type RuleFacts = {
  readonly action: string;
  readonly effect: Effect;
  readonly risk: Risk;
  readonly outward: boolean;
  readonly irreversible: boolean;
  /** What it pays or moves, else what it costs; zero where neither. */
  readonly amountMicros: bigint;
  /** ISO 4217, or empty where nothing is paid. */
  readonly currency: string;
  /** Why the amount cannot be read for certain, where it cannot: then the two above say nothing. */
  readonly amountDoubt: AmountDoubt | null;
  readonly recipients: readonly string[];
  readonly hosts: readonly string[];
  readonly categories: readonly string[];
  /** Targets that this agent has not reached before and that nobody trusts. */
  readonly newTargets: readonly string[];
  /** Targets that nobody in the organization has reached before and that nobody trusts. */
  readonly newToOrganization: readonly string[];
  readonly agent: {
    readonly id: string;
    readonly name: string;
    readonly autonomy: string;
    /** The department's id, or empty. */
    readonly department: string;
  };
  readonly connection: { readonly id: string; readonly name: string; readonly provider: string };
  readonly session: { readonly labels: readonly string[]; readonly origin: string };
  readonly arguments: JsonObject;
  /** By the database's clock. */
  readonly at: Date;
};

/**
 * A rule that applies. One that could not be evaluated applies as a denial: `failed`. One that looked at an amount which
 * cannot be read for certain asks a person, whatever its verdict: `unclear`.
 */
export type RuleMatch = { readonly rule: Rule } & (
  | { readonly outcome: "matched" | "failed" }
  | { readonly outcome: "unclear"; readonly doubt: AmountDoubt }
);
