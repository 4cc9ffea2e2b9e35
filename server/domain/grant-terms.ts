import { z } from "zod";
import { type Effect, isRiskWithin, type Risk, riskSchema } from "@/server/domain/action";

/** `tool.action`, lower case, such as `email.send`. */
const actionNameSchema = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+$/, "must look like email.send");

const MAX_ACTIONS = 50;
const useCount = z.int().min(1).max(1_000_000);

/** Uses of one grant in a UTC minute, hour and day. What is left out has no cap of its own. */
export const grantLimitsSchema = z.strictObject({
  perMinute: useCount.optional(),
  perHour: useCount.optional(),
  perDay: useCount.optional(),
});

export const GRANT_ACCESS = ["read", "write"] as const;
const accessSchema = z.enum(GRANT_ACCESS);

/**
 * What one agent may do over one connection. `allow` holds an argument allow-list per action; what its action's
 * `checkAllowList` does not find there is refused, so an action without one can do nothing. Writing always ends.
 */
export const grantTermsSchema = z
  .strictObject({
    actions: z.array(actionNameSchema).min(1).max(MAX_ACTIONS),
    access: accessSchema,
    maxRisk: riskSchema,
    allow: z.record(actionNameSchema, z.record(z.string().max(100), z.unknown())),
    limits: grantLimitsSchema,
    expiresAt: z.date().nullable(),
  })
  .superRefine((terms, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (new Set(terms.actions).size < terms.actions.length) refuse("actions", "names an action twice");
    if (Object.keys(terms.allow).some((name) => !terms.actions.includes(name))) {
      refuse("allow", "has a list for an action that is not granted");
    }
    if (terms.access === "write" && terms.expiresAt === null) refuse("expiresAt", "a write grant must end");
  });
export type GrantTerms = z.infer<typeof grantTermsSchema>;

/** A new grant reads; writing is asked for and then ends after 30 days unless said otherwise. */
export const DEFAULT_ACCESS: (typeof GRANT_ACCESS)[number] = "read";
export const DEFAULT_WRITE_DAYS = 30;

export type GrantGap = {
  readonly code: "no_grant" | "grant_expired" | "grant_read_only" | "risk_too_high";
  /** The term that stands against it, for people. */
  readonly rule: string;
};

export type GrantUse = { readonly action: string; readonly effect: Effect; readonly risk: Risk };

/** Null where the terms cover such a use at `now` (the database's clock), or the first term that does not. */
export function grantCovers(
  terms: Pick<GrantTerms, "actions" | "access" | "maxRisk" | "expiresAt">,
  use: GrantUse,
  now: Date,
): GrantGap | null {
  if (!terms.actions.includes(use.action)) return { code: "no_grant", rule: "The grant does not name this action." };
  if (terms.expiresAt !== null && terms.expiresAt <= now)
    return { code: "grant_expired", rule: "The grant has ended." };
  if (terms.access === "read" && use.effect !== "read")
    return { code: "grant_read_only", rule: "The grant only reads." };
  if (!isRiskWithin(use.risk, terms.maxRisk)) {
    return { code: "risk_too_high", rule: `The grant allows ${terms.maxRisk} risk at most.` };
  }
  return null;
}
