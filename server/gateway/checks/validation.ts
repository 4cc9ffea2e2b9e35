import { explainRule, isRiskWithin } from "@/server/domain/action";
import type { Facts, GrantFact } from "@/server/domain/facts";
import type { ToolCall } from "@/server/domain/tool-request";
import { type CheckResult, deny, PASS } from "@/server/domain/verdict";
import type { Check } from "@/server/gateway/check";
import { chooseGrant } from "@/server/gateway/choose-grant";

function connectionServes(call: ToolCall, facts: Facts): CheckResult {
  const connection = facts.connection;
  if (connection === null) return deny("connection_not_active");
  if (connection.provider !== call.action.provider) return deny("wrong_provider");
  if (connection.status !== "active") return deny("connection_not_active");
  return connection.capabilities.includes(call.action.capability) ? PASS : deny("capability_missing");
}

/** Seconds from `now` to the end of its UTC minute, hour or day, rounded up. */
function untilNext(unitS: number, now: Date): number {
  const passed = (now.getTime() / 1000) % unitS;
  return Math.max(1, Math.ceil(unitS - passed));
}

function withinUsage(grant: GrantFact, facts: Facts): CheckResult {
  const used = facts.usage[grant.id];
  if (!used) return deny("check_failed");
  const spent = [
    { limit: grant.perDay, count: used.day, unitS: 86_400 },
    { limit: grant.perHour, count: used.hour, unitS: 3_600 },
    { limit: grant.perMinute, count: used.minute, unitS: 60 },
  ].find((window) => window.limit !== null && window.count >= window.limit);
  return spent ? deny("usage_limit", { retryAfterS: untilNext(spent.unitS, facts.now) }) : PASS;
}

/** Connection, capability, risk, argument allow-list, usage as it stands; only the claim counts a use. */
export const validation: Check = {
  name: "validation",
  run(call, facts) {
    const served = connectionServes(call, facts);
    if (served.kind === "deny") return served;
    const grant = chooseGrant(call, facts);
    if (grant === null) return deny("check_failed");
    if (!isRiskWithin(call.classification.risk, grant.maxRisk)) return deny("risk_too_high");
    const refusal = call.action.checkAllowList(grant.allow[call.action.name], call.args);
    if (refusal !== null) {
      const field = refusal.field === "" ? "arguments" : `arguments.${refusal.field}`;
      return deny("argument_not_allowed", { field, detail: explainRule(refusal.rule) });
    }
    return withinUsage(grant, facts);
  },
};
