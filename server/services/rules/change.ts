import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { approverRoleSchema } from "@/server/domain/roles";
import { RULE_VERDICTS, ruleInputSchema } from "@/server/domain/rule";
import { versionSchema } from "@/server/domain/version";
import { audit } from "@/server/services/audit/record";
import { changedNames, given } from "@/server/services/changes";
import { command, invalid } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { changedMeanwhile, onTaken } from "@/server/services/failures";
import { requireCondition } from "@/server/services/rules/condition";
import { readRule } from "@/server/services/rules/get";
import { ruleReasonSchema, takeRuleVersion, writeRuleSet } from "@/server/services/rules/rule-set";
import type { RuleView } from "@/server/services/rules/rule-view";

const [, approval] = ruleInputSchema.options;

const wantedSchema = z.strictObject({
  name: approval.shape.name.optional(),
  condition: approval.shape.condition.optional(),
  verdict: z.enum(RULE_VERDICTS).optional(),
  requiredRole: approverRoleSchema.nullable().optional(),
  people: approval.shape.people,
  expiresMinutes: approval.shape.expiresMinutes.unwrap().nullable().optional(),
  secondIfQuick: approval.shape.secondIfQuick,
  enabled: z.boolean().optional(),
  isShadow: z.boolean().optional(),
});
type Wanted = z.output<typeof wantedSchema>;

/**
 * The rule as it would stand, by the same schema as a new one. A rule that turns into a denial loses what only
 * approvals have. Throws `invalid`.
 */
function changedRule(before: RuleView, wanted: Wanted) {
  const { enabled, ...rule } = wanted;
  const { name, verdict, condition, requiredRole, people, expiresMinutes, secondIfQuick, isShadow } = before;
  const isDenial = (wanted.verdict ?? verdict) === "deny";
  const kept = isDenial ? {} : { requiredRole, people, expiresMinutes, secondIfQuick };
  const merged = Object.entries({ name, verdict, condition, isShadow, ...kept, ...given(rule) });
  const parsed = ruleInputSchema.safeParse(Object.fromEntries(merged.filter(([, value]) => value !== null)));
  if (!parsed.success) throw invalid(parsed.error);
  requireCondition(parsed.data.condition);
  const asked = parsed.data.verdict === "approval" ? parsed.data : undefined;
  return {
    name: parsed.data.name,
    verdict: parsed.data.verdict,
    condition: parsed.data.condition,
    requiredRole: asked?.requiredRole ?? null,
    people: asked?.people ?? 1,
    expiresMinutes: asked?.expiresMinutes ?? null,
    secondIfQuick: asked?.secondIfQuick ?? false,
    isShadow: parsed.data.isShadow ?? false,
    enabled: enabled ?? before.enabled,
  };
}

/** Changes, enables or disables a rule that is still at the version the caller saw; a new version of the rules. */
export const changeRule = command({
  name: "rule.change",
  callers: ["member"],
  permission: "rule:manage",
  input: wantedSchema.extend({ id: idOf("rule"), version: versionSchema, reason: ruleReasonSchema }),
  run: (actor, { id, version, reason, ...wanted }) =>
    onTaken("A rule of this name", () =>
      withOrg(actor.orgId, async (tx) => {
        await holdClaims(tx);
        const ruleVersion = await takeRuleVersion(tx);
        const before = await readRule(tx, id);
        const fields = changedRule(before, wanted);
        const { count } = await tx.rule.updateMany({
          where: { id, version },
          data: { ...fields, updatedAt: tx.now, version: { increment: 1 } },
        });
        if (count === 0) throw changedMeanwhile("rule");
        await writeRuleSet(tx, { version: ruleVersion, changedBy: actor.memberId, reason });
        const changed = changedNames(before, fields);
        const recorded = { rule: id, name: fields.name, changed, version: version + 1, ruleVersion };
        await audit(tx, { type: "rule.changed", actor, at: tx.now, fields: recorded });
        return readRule(tx, id);
      }),
    ),
});
