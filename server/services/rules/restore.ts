import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import type { Rule } from "@/server/domain/rule";
import { diffRules, type RuleChange } from "@/server/domain/rule-diff";
import { writtenText } from "@/server/domain/text";
import { sinceVersionSchema } from "@/server/domain/version";
import { audit } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { changedMeanwhile, invalidField, onTaken } from "@/server/services/failures";
import { requireCondition } from "@/server/services/rules/condition";
import { readRuleSet } from "@/server/services/rules/get-set";
import { takeRuleVersion, writeRuleSet } from "@/server/services/rules/rule-set";
import { rowOfRule } from "@/server/services/rules/rule-view";

/**
 * Brings the rules of an earlier version back, as a new version. Conflict where somebody saved rules since the caller
 * looked: `current` is the version that was seen as the one in force.
 */
export const restoreRules = command({
  name: "rule_set.restore",
  callers: ["member"],
  permission: "rule:manage",
  input: z.strictObject({ version: sinceVersionSchema, current: sinceVersionSchema, reason: writtenText(500) }),
  run: (actor, { version, current, reason }) => {
    if (version >= current) throw invalidField("version", "must be earlier than the version in force");
    return onTaken("A rule of a name that comes back", () =>
      withOrg(actor.orgId, async (tx) => {
        await holdClaims(tx);
        const ruleVersion = await takeRuleVersion(tx);
        if (ruleVersion !== current + 1) throw changedMeanwhile("set of rules");
        const [wanted, live] = [await readRuleSet(tx, version), await readRuleSet(tx, current)];
        const changes = diffRules(live.rules, wanted.rules);
        if (changes.length === 0) throw nothingChanges();
        for (const { condition } of wanted.rules) requireCondition(condition);
        await apply(tx, changes, wanted.rules);
        await writeRuleSet(tx, { version: ruleVersion, changedBy: actor.memberId, reason, restores: version });
        const fields = { restores: version, ruleVersion, ...countsOf(changes) };
        await audit(tx, { type: "rules.restored", actor, at: tx.now, fields });
        return { version: ruleVersion, restores: version };
      }),
    );
  },
});

/** Moves the rows to what the earlier version says. Names are cleared first, since two rules may swap theirs. */
async function apply(tx: OrgTx, changes: readonly RuleChange[], wanted: readonly Rule[]): Promise<void> {
  const moved = { updatedAt: tx.now, version: { increment: 1 } };
  const restored = changes.filter(({ kind }) => kind !== "removed").map(({ id }) => id);
  const dropped = changes.filter(({ kind }) => kind === "removed").map(({ id }) => id);
  await tx.rule.updateMany({ where: { id: { in: dropped } }, data: { ...moved, enabled: false } });
  for (const id of restored) await tx.rule.updateMany({ where: { id }, data: { name: id } });
  for (const rule of wanted.filter(({ id }) => restored.includes(id))) {
    const { count } = await tx.rule.updateMany({
      where: { id: rule.id },
      data: { ...moved, ...rowOfRule(rule), enabled: true },
    });
    if (count !== 1) throw new Error("a rule of a version has a row");
  }
}

function countsOf(changes: readonly RuleChange[]) {
  const count = (kind: RuleChange["kind"]) => changes.filter((change) => change.kind === kind).length;
  return { added: count("added"), removed: count("removed"), changed: count("changed") };
}

const nothingChanges = (): AppError =>
  new AppError("conflict", "The rules in force are the same as in that version.", { reason: "nothing_changes" });
