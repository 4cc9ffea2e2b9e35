import { findAction } from "@/server/domain/actions/registry";
import { isJsonObject } from "@/server/domain/json";
import type { Past } from "@/server/domain/replay";
import type { RuleFacts } from "@/server/domain/rule";
import type { ToolCall } from "@/server/domain/tool-request";
import { env } from "@/server/env";
import { newTargets, type RuleSight, ruleFacts } from "@/server/gateway/checks/approval-reasons";
import { openJson } from "@/server/services/gateway/content";
import { type PastRow, type Reached, readTargets } from "@/server/services/rules/past-requests";

/** A past request that rules can be tried on. */
export type Judgeable = {
  readonly row: PastRow;
  readonly past: Past;
  /** Null where it was refused whatever the rules, so that nothing of it had to be opened. */
  readonly facts: RuleFacts | null;
  readonly headline: string | null;
};

const BY_RULES = new Set(["rule_denied", "rule_failed"]);

/** Refused by another check, or before or after the rules: then no rule changes it. */
function isRefused(row: PastRow): boolean {
  return row.status === "denied" && !(row.denied_check === "approval_reasons" && BY_RULES.has(row.denied_code ?? ""));
}

/**
 * Opens what rules look at and puts the facts back together. From the request: arguments, classes, time, and what its
 * approval asked for. As they are now: the agent's level and department, the session's labels, trusted destinations.
 * Leaves out what cannot be read any more.
 */
export async function judgeable(orgId: string, rows: readonly PastRow[]): Promise<Judgeable[]> {
  const calls = await Promise.all(rows.map(async (row) => ({ row, call: await openPast(orgId, row) })));
  const reached = calls.flatMap(({ row, call }) =>
    call ? call.classification.targets.map((t) => reachedBy(row, t)) : [],
  );
  const { isSeenBefore, isKnownBefore, trusted } = await readTargets(orgId, reached);
  return calls.flatMap(({ row, call }): Judgeable[] => {
    if (isRefused(row)) return [{ row, past: { kind: "refused" }, facts: null, headline: null }];
    if (call === null) return [];
    const seen = call.classification.targets.filter((target) => isSeenBefore(reachedBy(row, target), row.created_at));
    const { agent, connection, session, created_at: now } = row;
    const known = call.classification.targets.filter((target) => isKnownBefore(target, row.created_at));
    const sight: RuleSight = { now, agent, connection, session, seenTargets: seen, seenByOrganization: known, trusted };
    const headline = call.action.headline(call.args);
    return [{ row, past: pastOf(row, call, sight), facts: ruleFacts(call, sight), headline }];
  });
}

const reachedBy = (row: PastRow, target: string): Reached => ({
  agentId: row.agent.id,
  connectionId: row.connection?.id ?? "",
  target,
});

/** The stored call with the classes it was stored with, or null where it no longer fits its action. */
async function openPast(orgId: string, row: PastRow): Promise<ToolCall | null> {
  const action = findAction(row.action);
  if (isRefused(row) || action === null || row.sealed_arguments === null) return null;
  const json = await openJson(orgId, row.id, "arguments", row.sealed_arguments);
  const parsed = action.parse(json);
  if (!parsed.ok || !isJsonObject(json)) return null;
  const { targets } = action.classify(parsed.args, () => false);
  const { effect, risk, is_outward: outward, is_irreversible: irreversible } = row;
  const classification = { effect, risk, outward, irreversible, targets };
  return { action, args: parsed.args, json, note: undefined, classification };
}

function pastOf(row: PastRow, call: ToolCall, sight: RuleSight): Past {
  if (row.status !== "denied") {
    const ranByItself = row.asked === null || row.asked.some(({ kind }) => kind === "returned");
    return { kind: "passed", asked: ranByItself ? [] : (row.asked ?? []) };
  }
  const { effect, risk, outward, irreversible } = call.classification;
  return {
    kind: "forbidden",
    input: {
      ...{ action: row.action, effect, risk, outward, irreversible, executesCode: false },
      autonomy: row.agent.autonomy,
      isTakenUp: row.is_taken_up,
      sessionLabels: row.session.labels,
      newTargets: newTargets(call, sight),
      mandatoryActions: env().APPROVAL_ACTIONS,
    },
  };
}
