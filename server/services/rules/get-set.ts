import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { type Rule, ruleSetSchema } from "@/server/domain/rule";
import { diffRules, type RuleChange } from "@/server/domain/rule-diff";
import { sinceVersionSchema } from "@/server/domain/version";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";

const columns = {
  version: true,
  changedBy: true,
  changer: { select: { name: true } },
  reason: true,
  restores: true,
  createdAt: true,
  rules: true,
} as const;

/** The rules of one version of the transaction's organization. Throws `not_found`. */
export async function readRuleSet(tx: OrgTx, version: number) {
  const where = { orgId_version: { orgId: tx.orgId, version } };
  const row = await tx.ruleSet.findUnique({ where, select: columns });
  if (!row) throw notFound("version of the rules");
  const { changer, ...rest } = row;
  return { ...rest, changerName: changer.name, rules: ruleSetSchema.parse(row.rules) };
}

export type RuleSetDetails = {
  readonly version: number;
  readonly isCurrent: boolean;
  readonly currentVersion: number;
  readonly changedBy: string;
  readonly changerName: string;
  readonly reason: string;
  readonly restores: number | null;
  readonly createdAt: Date;
  readonly rules: readonly Rule[];
  /** The version compared with; null for the first, which is compared with none. */
  readonly against: number | null;
  readonly changes: readonly RuleChange[];
};

/** One version of the rules: who made it and why, its rules, and what turns another version, else the one before, into it. */
export const getRuleSet = command({
  name: "rule_set.get",
  callers: ["member"],
  permission: "rule:read",
  input: z.strictObject({ version: sinceVersionSchema, against: sinceVersionSchema.optional() }),
  run: (actor, { version, against = version === 0 ? undefined : version - 1 }): Promise<RuleSetDetails> =>
    withOrg(actor.orgId, async (tx) => {
      const set = await readRuleSet(tx, version);
      const other = against === undefined ? null : await readRuleSet(tx, against);
      const { ruleVersion } = await tx.organization.findUniqueOrThrow({
        where: { id: tx.orgId },
        select: { ruleVersion: true },
      });
      return {
        ...set,
        isCurrent: version === ruleVersion,
        currentVersion: ruleVersion,
        against: other?.version ?? null,
        changes: diffRules(other?.rules ?? [], set.rules),
      };
    }),
});
