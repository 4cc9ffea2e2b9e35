import type { Facts } from "@/server/domain/facts";
import type { ToolCall } from "@/server/domain/tool-request";
import { type CheckResult, deny, PASS } from "@/server/domain/verdict";
import type { Check } from "@/server/gateway/check";

const isEffect = (call: ToolCall) => call.classification.effect === "write";

function killSwitch(call: ToolCall, facts: Facts): CheckResult {
  const own = facts.controls?.killLevel;
  const deployment = facts.deploymentLevel;
  if (deployment === "lockdown") return deny("deployment_locked_down");
  if (own === "lockdown") return deny("locked_down");
  if (deployment === "freeze" && isEffect(call)) return deny("deployment_frozen");
  if (own === "freeze" && isEffect(call)) return deny("frozen");
  return PASS;
}

function switchedOff(call: ToolCall, off: readonly string[]): CheckResult {
  const [tool = ""] = call.action.name.split(".");
  if (off.includes(call.action.name)) return deny("action_off");
  return off.includes(tool) ? deny("tool_off") : PASS;
}

/** Kill switch, pause, read-only, tools and actions switched off. Not knowing the controls is a refusal. */
export const controls: Check = {
  name: "controls",
  run(call, facts) {
    if (facts.controls === null) return deny("control_state_unknown");
    if (facts.key?.revokedFor === "issuer_disabled") return deny("key_issuer_disabled");
    if (facts.key === null || !facts.key.isValid || facts.key.expiresAt <= facts.now) return deny("key_not_valid");
    const killed = killSwitch(call, facts);
    if (killed.kind === "deny") return killed;
    if (facts.agent.isPaused) return deny(facts.agent.pausedFor ?? "agent_paused");
    const off = switchedOff(call, facts.controls.actionsOff);
    if (off.kind === "deny") return off;
    const isReadOnly = facts.controls.readOnly || facts.agent.readOnly;
    return isReadOnly && isEffect(call) ? deny("recorded_as_proposal", { isProposal: true }) : PASS;
  },
};
