import { PauseCircle } from "lucide-react";
import { Pill } from "@/app/_ui/pill";
import type { AgentView } from "@/server/services/agents/agent-view";
import { AUTONOMY_WORDS } from "./autonomy";

/** What holds for an agent at this moment. */
export function AgentPills({ agent }: { agent: AgentView }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      <Pill tone={agent.autonomy === "autonomous" ? "wait" : "plain"}>{AUTONOMY_WORDS[agent.autonomy].short}</Pill>
      {agent.pausedAt ? (
        <Pill tone="stop" icon={PauseCircle}>
          paused
        </Pill>
      ) : null}
      {agent.readOnly ? <Pill tone="wait">read-only</Pill> : null}
    </span>
  );
}
