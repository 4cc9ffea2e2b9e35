import { z } from "zod";
import { type ApproverRole, approverRoleSchema } from "@/server/domain/roles";
import { type People, RULE_VERDICTS, type Rule, ruleSchema } from "@/server/domain/rule";

export const ruleColumns = {
  id: true,
  name: true,
  verdict: true,
  condition: true,
  requiredRole: true,
  people: true,
  expiresMinutes: true,
  secondIfQuick: true,
  enabled: true,
  isShadow: true,
  version: true,
  createdBy: true,
  createdAt: true,
  updatedAt: true,
} as const;

export type RuleView = {
  readonly id: string;
  readonly name: string;
  readonly verdict: (typeof RULE_VERDICTS)[number];
  /** CEL. */
  readonly condition: string;
  /** For approvals: who must answer, how many of them, and how long it waits. Null leaves it to the product. */
  readonly requiredRole: ApproverRole | null;
  readonly people: People;
  readonly expiresMinutes: number | null;
  /** Two people where the first approved faster than it can be read. */
  readonly secondIfQuick: boolean;
  readonly enabled: boolean;
  /** Evaluated and recorded, never enforced. */
  readonly isShadow: boolean;
  readonly version: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type Row = Omit<RuleView, "verdict" | "requiredRole" | "people"> & {
  readonly verdict: string;
  readonly requiredRole: string | null;
  readonly people: number;
};

/** Check constraints hold the columns to these words. */
export const ruleView = (row: Row): RuleView => row as RuleView;

/** A rule as the gateway reads it. Throws on a row that is no rule: a set that cannot be read must not be written. */
export function ruleOf(row: RuleView): Rule {
  const { id, name, verdict, condition, requiredRole, people, expiresMinutes } = row;
  const shadow = row.isShadow ? { isShadow: true } : {};
  if (verdict === "deny") return ruleSchema.parse({ id, name, verdict, condition, ...shadow });
  return ruleSchema.parse({
    ...{ id, name, verdict, condition, people, ...shadow },
    ...(requiredRole === null ? {} : { requiredRole }),
    ...(expiresMinutes === null ? {} : { expiresMinutes }),
    ...(row.secondIfQuick ? { secondIfQuick: true } : {}),
  });
}

/** What of a stored rule its row holds. */
export function rowOfRule(rule: Rule) {
  const asked = rule.verdict === "approval" ? rule : undefined;
  return {
    ...{ name: rule.name, verdict: rule.verdict, condition: rule.condition },
    requiredRole: asked?.requiredRole ?? null,
    people: asked?.people ?? 1,
    expiresMinutes: asked?.expiresMinutes ?? null,
    secondIfQuick: asked?.secondIfQuick ?? false,
    isShadow: rule.isShadow ?? false,
  };
}

/** A rule as OpenAPI describes it. */
export const storedRuleSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  verdict: z.enum(RULE_VERDICTS),
  condition: z.string(),
  requiredRole: approverRoleSchema.nullable(),
  people: z.int(),
  expiresMinutes: z.int().nullable().describe("0 is never."),
  secondIfQuick: z.boolean().describe("Two people where the first approved faster than it can be read."),
  enabled: z.boolean(),
  isShadow: z.boolean().describe("Evaluated and recorded, never enforced."),
  version: z.int(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
