import { pageSchema } from "@/server/domain/page";
import { changeRule } from "@/server/services/rules/change";
import { createRule } from "@/server/services/rules/create";
import { getRule } from "@/server/services/rules/get";
import { getRuleSet } from "@/server/services/rules/get-set";
import { listRules } from "@/server/services/rules/list";
import { listRuleSets } from "@/server/services/rules/list-sets";
import { replayRules } from "@/server/services/rules/replay";
import { replayPartSchema } from "@/server/services/rules/replay-schema";
import { restoreRules } from "@/server/services/rules/restore";
import { restoredSchema, ruleSetDetailsSchema, ruleSetsSchema } from "@/server/services/rules/rule-set-schema";
import { storedRuleSchema } from "@/server/services/rules/rule-view";
import { countShadow, shadowCountsSchema } from "@/server/services/rules/shadow-counts";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Rules"] as const;

export const rulesRouter = router({
  list: procedureOf(listRules, {
    method: "GET",
    path: "/rules",
    summary: "List rules, newest first.",
    tags,
    output: pageSchema(storedRuleSchema),
  }),
  get: procedureOf(getRule, {
    method: "GET",
    path: "/rules/{id}",
    summary: "Read one rule.",
    tags,
    output: storedRuleSchema,
  }),
  create: procedureOf(createRule, {
    method: "POST",
    path: "/rules",
    summary: "Add a rule. Its condition is type-checked; a fault is answered with its place.",
    tags,
    successStatuses: [201],
    output: storedRuleSchema,
    example: {
      name: "Large mailings",
      verdict: "approval",
      condition: "size(recipients) > 5",
      requiredRole: "admin",
      people: 2,
    },
  }),
  change: procedureOf(changeRule, {
    method: "PATCH",
    path: "/rules/{id}",
    summary: "Change, enable or disable a rule that is still at the version you saw.",
    tags,
    output: storedRuleSchema,
    example: { version: 1, enabled: false, reason: "Replaced by a budget." },
  }),
  replay: procedureOf(replayRules, {
    method: "POST",
    path: "/rules/replay",
    summary: "Try a draft of the rules on the requests of the last days: what each would have got. Nothing runs.",
    tags,
    output: replayPartSchema,
    example: { days: 7, change: { name: "Large mailings", verdict: "approval", condition: "size(recipients) > 5" } },
  }),
  countShadow: procedureOf(countShadow, {
    method: "GET",
    path: "/shadow-rules",
    summary: "Count what the rules in shadow would have done in the last days.",
    tags,
    output: shadowCountsSchema,
  }),
  listSets: procedureOf(listRuleSets, {
    method: "GET",
    path: "/rule-sets",
    summary: "List the versions of all rules: who changed what, when and why.",
    tags,
    output: ruleSetsSchema,
  }),
  getSet: procedureOf(getRuleSet, {
    method: "GET",
    path: "/rule-sets/{version}",
    summary: "Read one version of the rules and what changed against another, by default the one before.",
    tags,
    output: ruleSetDetailsSchema,
  }),
  restoreSet: procedureOf(restoreRules, {
    method: "POST",
    path: "/rule-sets/{version}/restore",
    summary: "Bring an earlier version of the rules back, as a new version. Names the version in force that you saw.",
    tags,
    output: restoredSchema,
    example: { current: 8, reason: "Version 8 asked for every small mail." },
  }),
});
