import type { OrgTx } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { MAX_RULES } from "@/server/domain/rule";
import { writtenText } from "@/server/domain/text";
import { ruleColumns, ruleOf, ruleView } from "@/server/services/rules/rule-view";

/** Why a rule is changed, kept with the set it makes. */
export const ruleReasonSchema = writtenText(500).optional();

/**
 * Takes the next version of the organization's rules. The row's lock lasts to the end of the transaction, so versions
 * neither skip nor double: a change that fails gives its number back.
 */
export async function takeRuleVersion(tx: OrgTx): Promise<number> {
  const { ruleVersion } = await tx.organization.update({
    where: { id: tx.orgId },
    data: { ruleVersion: { increment: 1 } },
    select: { ruleVersion: true },
  });
  return ruleVersion;
}

type Change = {
  readonly version: number;
  readonly changedBy: string;
  readonly reason: string | undefined;
  /** The earlier version that this one brings back. */
  readonly restores?: number;
};

/** Writes all enabled rules, as they stand in this transaction, as one set that never changes again. */
export async function writeRuleSet(tx: OrgTx, { version, changedBy, reason = "", restores }: Change): Promise<void> {
  const rows = await tx.rule.findMany({
    where: { enabled: true },
    orderBy: { id: "asc" },
    take: MAX_RULES + 1,
    select: ruleColumns,
  });
  if (rows.length > MAX_RULES) {
    throw new AppError("conflict", `At most ${MAX_RULES} rules can be enabled.`, { reason: "too_many" });
  }
  const rules = rows.map((row) => ruleOf(ruleView(row)));
  await tx.ruleSet.create({ data: { orgId: tx.orgId, version, rules, changedBy, reason, restores: restores ?? null } });
}
