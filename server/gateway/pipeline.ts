import type { ApprovalReason } from "@/server/domain/approval-reasons";
import type { Facts } from "@/server/domain/facts";
import type { ToolCall } from "@/server/domain/tool-request";
import { type CheckResult, deny, type Verdict } from "@/server/domain/verdict";
import type { Check } from "@/server/gateway/check";
import { approvalReasons } from "@/server/gateway/checks/approval-reasons";
import { controls } from "@/server/gateway/checks/controls";
import { grant } from "@/server/gateway/checks/grant";
import { reservation } from "@/server/gateway/checks/reservation";
import { secretScan } from "@/server/gateway/checks/secret-scan";
import { validation } from "@/server/gateway/checks/validation";

/** The order is the policy: what stops everything first, questions to people and money last. */
export const CHECKS: readonly Check[] = [controls, grant, validation, secretScan, approvalReasons, reservation];

/** The first refusal ends it; what asks is collected; a check that throws refuses. An empty list refuses. */
export function judge(call: ToolCall, facts: Facts, checks: readonly Check[] = CHECKS): Verdict {
  const [first] = checks;
  if (!first) return { kind: "deny", check: "controls", denial: deny("check_failed") };
  const reasons: ApprovalReason[] = [];
  for (const check of checks) {
    const result = runClosed(check, call, facts);
    if (result.kind === "deny") return { kind: "deny", check: check.name, denial: result };
    if (result.kind === "ask") reasons.push(...result.reasons);
  }
  return reasons.length === 0 ? { kind: "allow" } : { kind: "approval", reasons };
}

function runClosed(check: Check, call: ToolCall, facts: Facts): CheckResult {
  try {
    return check.run(call, facts);
  } catch {
    return deny("check_failed");
  }
}
