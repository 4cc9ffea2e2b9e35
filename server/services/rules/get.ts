import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";
import { type RuleView, ruleColumns, ruleView } from "@/server/services/rules/rule-view";

/** One rule of the transaction's organization. Throws `not_found`. */
export async function readRule(tx: OrgTx, id: string): Promise<RuleView> {
  const row = await tx.rule.findUnique({ where: { id }, select: ruleColumns });
  if (!row) throw notFound("rule");
  return ruleView(row);
}

/** One rule. */
export const getRule = command({
  name: "rule.get",
  callers: ["member"],
  permission: "rule:read",
  input: z.strictObject({ id: idOf("rule") }),
  run: (actor, { id }) => withOrg(actor.orgId, (tx) => readRule(tx, id)),
});
