import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { cutPage, pageOf } from "@/server/domain/page";
import { command } from "@/server/services/command";
import { ruleColumns, ruleView } from "@/server/services/rules/rule-view";

/** The organization's rules, newest first. */
export const listRules = command({
  name: "rule.list",
  callers: ["member"],
  permission: "rule:read",
  input: z.strictObject(pageOf("rule")),
  run: (actor, { limit, cursor }) =>
    withOrg(actor.orgId, async (tx) => {
      const rows = await tx.rule.findMany({
        where: cursor === undefined ? {} : { id: { lt: cursor } },
        orderBy: { id: "desc" },
        take: limit + 1,
        select: ruleColumns,
      });
      return cutPage(rows.map(ruleView), limit);
    }),
});
