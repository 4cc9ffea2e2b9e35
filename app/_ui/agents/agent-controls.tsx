"use client";

import { changeAgent, pauseAgent, resumeAgent } from "@/app/_ui/actions";
import { DoButton } from "@/app/_ui/do-button";
import { ReasonDialog } from "@/app/_ui/reason-dialog";
import type { AgentView } from "@/server/services/agents/agent-view";

type Props = { agent: AgentView; may: { activate: boolean; manage: boolean } };

/** Stops that one press makes and one press takes back; only raising again is asked about. */
export function AgentControls({ agent, may }: Props) {
  return (
    <>
      {may.activate ? <PauseOrResume agent={agent} /> : null}
      {may.manage ? <ReadOnlySwitch agent={agent} /> : null}
    </>
  );
}

function PauseOrResume({ agent }: { agent: AgentView }) {
  if (agent.pausedAt === null) {
    return (
      <DoButton run={() => pauseAgent(agent.id)} done="Paused: nothing of this agent starts." className="btn btn-stop">
        Pause
      </DoButton>
    );
  }
  return (
    <ReasonDialog
      trigger={
        <button type="button" className="btn">
          Resume
        </button>
      }
      title="Resume this agent?"
      confirm="Resume agent"
      keep="Keep paused"
      onConfirm={() => resumeAgent(agent.id)}
    >
      <p>Its calls are checked and run again. What waits for a person still waits.</p>
    </ReasonDialog>
  );
}

function ReadOnlySwitch({ agent }: { agent: AgentView }) {
  const set = (readOnly: boolean) => () => changeAgent(agent.id, { version: agent.version, readOnly });
  return agent.readOnly ? (
    <DoButton run={set(false)} done="Effects run again, as grants and rules allow.">
      End read-only
    </DoButton>
  ) : (
    <DoButton run={set(true)} done="Read-only: effects are kept as proposals.">
      Make read-only
    </DoButton>
  );
}
