import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { withOrg, withOrgSql } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { isChanged, pastVerdict, type Replayed, replay } from "@/server/domain/replay";
import { MAX_RULES, type Rule, ruleInputSchema } from "@/server/domain/rule";
import { evaluateRules } from "@/server/domain/rule-engine/evaluate";
import { enforced } from "@/server/domain/shadow";
import { auditSql } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { requireCondition } from "@/server/services/rules/condition";
import { type Judgeable, judgeable } from "@/server/services/rules/judge-past";
import { readPast, readWindow } from "@/server/services/rules/past-requests";
import { ruleColumns, ruleOf, ruleView } from "@/server/services/rules/rule-view";

const MAX_DAYS = 90;
const MAX_REQUESTS = 10_000;
/** Requests tried in one call, and read at once: what is read is held in memory, opened. */
const PART = 2_000;
const CHUNK = 200;

const [denial, approval] = ruleInputSchema.options;
const changeFields = { id: idOf("rule").optional() };

const input = z
  .strictObject({
    days: z.int().min(1).max(MAX_DAYS).default(7),
    /** The whole draft. */
    rules: z.array(ruleInputSchema).max(MAX_RULES).optional(),
    /** The rules in force with this one added, or changed where it names one. */
    change: z.discriminatedUnion("verdict", [denial.extend(changeFields), approval.extend(changeFields)]).optional(),
    /** Where the last part ended. */
    cursor: z.strictObject({ before: idOf("toolRequest"), done: z.int().min(0).max(MAX_REQUESTS) }).optional(),
  })
  .refine(({ rules, change }) => (rules === undefined) !== (change === undefined), "give either rules or change");
type Input = z.output<typeof input>;

/**
 * Tries a draft of the rules on the requests of the last days, newest first, a part at a time. Nothing runs and nothing
 * is stored but an entry of the log with counts. Throws `invalid` with the place of a fault in a condition.
 */
export const replayRules = command({
  name: "rules.replay",
  callers: ["member"],
  permission: "rule:manage",
  input,
  run: replayPart,
});

async function replayPart(actor: MemberActor, { days, cursor, ...draft }: Input) {
  // Conditions ask about arguments, so their answers tell of them: a token that may manage but not read gets none.
  if (!actor.permissions.has("content:read")) {
    throw new AppError("forbidden", "This needs the permission content:read.", { reason: "not_permitted" });
  }
  const rules = await draftRules(actor.orgId, draft);
  const window = await readWindow(actor.orgId, days, MAX_REQUESTS);
  const found = new Tally();
  let before = cursor?.before;
  const room = Math.min(PART, MAX_REQUESTS - (cursor?.done ?? 0));
  while (found.requests < room) {
    const limit = Math.min(CHUNK, room - found.requests);
    const rows = await readPast(actor.orgId, { since: window.since, before, limit });
    found.add(rows.length, await judgeable(actor.orgId, rows), rules);
    before = rows.length < limit ? undefined : rows.at(-1)?.id;
    if (before === undefined) break;
  }
  await record(
    actor,
    { days, rules: rules.length, requests: found.requests, changed: found.changes.length },
    window.now,
  );
  const done = (cursor?.done ?? 0) + found.requests;
  return {
    days,
    total: Math.max(window.total, done),
    done,
    requests: found.requests,
    unreadable: found.unreadable,
    changes: found.changes,
    nextCursor: before === undefined || done >= MAX_REQUESTS ? null : { before, done },
  };
}

type Change = {
  readonly id: string;
  readonly action: string;
  readonly headline: string | null;
  readonly agent: { readonly id: string; readonly name: string };
  readonly createdAt: Date;
  readonly was: Replayed;
  readonly would: Replayed;
  /** The rules of the draft that apply to it, by name. */
  readonly rules: readonly string[];
};

class Tally {
  requests = 0;
  unreadable = 0;
  readonly changes: Change[] = [];

  add(read: number, judged: readonly Judgeable[], rules: readonly Rule[]): void {
    this.requests += read;
    this.unreadable += read - judged.length;
    for (const one of judged) {
      const change = changeOf(one, rules);
      if (change !== null) this.changes.push(change);
    }
  }
}

function changeOf({ row, past, facts, headline }: Judgeable, rules: readonly Rule[]): Change | null {
  const matches = facts === null ? [] : evaluateRules(enforced(rules), facts);
  const was = pastVerdict(past);
  const would = replay(past, matches);
  if (!isChanged(was, would)) return null;
  const { id, action, created_at: createdAt, agent } = row;
  const names = matches.map(({ rule }) => rule.name);
  return { id, action, headline, agent: { id: agent.id, name: agent.name }, createdAt, was, would, rules: names };
}

/**
 * The draft as rules with ids; a rule that is in force keeps its own, so that one of its kind is replaced. Rules in
 * shadow count for nothing, but the one that is tried: it is tried as if enforced.
 */
async function draftRules(orgId: string, { rules, change }: Pick<Input, "rules" | "change">): Promise<Rule[]> {
  for (const { condition } of [...(rules ?? []), ...(change ? [change] : [])]) requireCondition(condition);
  if (rules !== undefined)
    return rules.map(({ isShadow, ...rule }) => withShadow({ ...rule, id: newId("rule") }, isShadow));
  const { isShadow: _tried, ...tried } = change ?? {};
  const changed = change === undefined ? [] : [{ ...tried, id: change.id ?? newId("rule") } as Rule];
  const live = await withOrg(orgId, (tx) =>
    tx.rule.findMany({ where: { enabled: true }, orderBy: { id: "asc" }, take: MAX_RULES, select: ruleColumns }),
  );
  const kept = live.filter(({ id }) => !changed.some((one) => one.id === id));
  return [...kept.map((row) => ruleOf(ruleView(row))), ...changed];
}

const withShadow = (rule: Rule, isShadow: boolean | undefined): Rule => (isShadow ? { ...rule, isShadow } : rule);

type Counts = { readonly days: number; readonly rules: number; readonly requests: number; readonly changed: number };

function record(actor: MemberActor, fields: Counts, at: Date): Promise<void> {
  return withOrgSql(actor.orgId, (q) => auditSql(q, { type: "rules.replayed", actor, at, fields }));
}
