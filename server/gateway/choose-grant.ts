import type { Facts, GrantFact } from "@/server/domain/facts";
import type { ToolCall } from "@/server/domain/tool-request";

const isCurrent = (grant: GrantFact, now: Date) => grant.expiresAt === null || grant.expiresAt > now;
const mayDo = (grant: GrantFact, call: ToolCall) => grant.access === "write" || call.classification.effect === "read";

/** Every grant that names the action, is in force and reaches far enough. Listing tools and calling them share this. */
export function grantsFor(call: ToolCall, facts: Facts): readonly GrantFact[] {
  return facts.grants.filter(
    (grant) => grant.actions.includes(call.action.name) && isCurrent(grant, facts.now) && mayDo(grant, call),
  );
}

/** The grant that a call runs under: the first that also allows its arguments, or else the first. */
export function chooseGrant(call: ToolCall, facts: Facts): GrantFact | null {
  const candidates = grantsFor(call, facts);
  const allowing = candidates.find(
    (grant) => call.action.checkAllowList(grant.allow[call.action.name], call.args) === null,
  );
  return allowing ?? candidates[0] ?? null;
}
