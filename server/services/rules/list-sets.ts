import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { ruleSetSchema } from "@/server/domain/rule";
import { sinceVersionSchema } from "@/server/domain/version";
import { command } from "@/server/services/command";

const MAX_LIMIT = 100;

export type RuleSetView = {
  readonly version: number;
  readonly changedBy: string;
  readonly changerName: string;
  readonly reason: string;
  /** The earlier version that this one brought back. */
  readonly restores: number | null;
  readonly createdAt: Date;
  /** Names of the rules that were enabled. */
  readonly rules: readonly string[];
};

/** The versions of the organization's rules, newest first: who changed what, and why. */
export const listRuleSets = command({
  name: "rule_set.list",
  callers: ["member"],
  permission: "rule:read",
  input: z.strictObject({
    limit: z.int().min(1).max(MAX_LIMIT).default(20),
    cursor: sinceVersionSchema.optional(),
  }),
  run: (actor, { limit, cursor }) =>
    withOrg(actor.orgId, async (tx) => {
      const rows = await tx.ruleSet.findMany({
        where: cursor === undefined ? {} : { version: { lt: cursor } },
        orderBy: { version: "desc" },
        take: limit + 1,
        select: {
          version: true,
          changedBy: true,
          changer: { select: { name: true } },
          reason: true,
          restores: true,
          createdAt: true,
          rules: true,
        },
      });
      const items = rows.slice(0, limit).map(
        ({ changer, rules, ...row }): RuleSetView => ({
          ...row,
          changerName: changer.name,
          rules: ruleSetSchema.parse(rules).map((rule) => rule.name),
        }),
      );
      return { items, nextCursor: rows.length > limit ? (items.at(-1)?.version ?? null) : null };
    }),
});
