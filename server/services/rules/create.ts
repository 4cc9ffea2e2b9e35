import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { withOrg } from "@/server/db/with-org";
import { ruleInputSchema } from "@/server/domain/rule";
import { audit } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { onTaken } from "@/server/services/failures";
import { requireCondition } from "@/server/services/rules/condition";
import { readRule } from "@/server/services/rules/get";
import { ruleReasonSchema, takeRuleVersion, writeRuleSet } from "@/server/services/rules/rule-set";

const [denial, approval] = ruleInputSchema.options;
const more = { enabled: z.boolean().default(true), reason: ruleReasonSchema };

/** Adds a rule, and with it a new version of the organization's rules. */
export const createRule = command({
  name: "rule.create",
  callers: ["member"],
  permission: "rule:manage",
  input: z.discriminatedUnion("verdict", [denial.extend(more), approval.extend(more)]),
  run: (actor, { reason, ...wanted }) => {
    requireCondition(wanted.condition);
    return onTaken("A rule of this name", () =>
      withOrg(actor.orgId, async (tx) => {
        await holdClaims(tx);
        const ruleVersion = await takeRuleVersion(tx);
        const { name, verdict, condition, enabled } = wanted;
        const asked = wanted.verdict === "approval" ? wanted : undefined;
        const id = newId("rule");
        await tx.rule.create({
          data: {
            ...{ id, orgId: tx.orgId, name, verdict, condition, enabled },
            requiredRole: asked?.requiredRole ?? null,
            people: asked?.people ?? 1,
            expiresMinutes: asked?.expiresMinutes ?? null,
            secondIfQuick: asked?.secondIfQuick ?? false,
            isShadow: wanted.isShadow ?? false,
            createdBy: actor.memberId,
          },
        });
        await writeRuleSet(tx, { version: ruleVersion, changedBy: actor.memberId, reason });
        const fields = { rule: id, name, verdict, ruleVersion, isShadow: wanted.isShadow ?? false };
        await audit(tx, { type: "rule.created", actor, at: tx.now, fields });
        return readRule(tx, id);
      }),
    );
  },
});
