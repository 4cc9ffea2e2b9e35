"use client";

import { changeAgent, pauseAgent, resumeAgent } from "@/app/_ui/actions";
import { DoButton } from "@/app/_ui/do-button";
import { ReasonDialog } from "@/app/_ui/reason-dialog";
import type { AgentView } from "@/server/services/agents/agent-view";

type Props = { agent: AgentView; may: { activate: boolean; manage: boolean } };

const REASON = { label: "Reason, for everybody who sees the agent", required: true };

/** Stopping an agent and letting it go on ask why, like every control; read-only is one press either way. */
export function AgentControls({ agent, may }: Props) {
  return (
    <>
      {may.activate ? <PauseOrResume agent={agent} /> : null}
      {may.manage ? <ReadOnlySwitch agent={agent} /> : null}
    </>
  );
}

const PauseOrResume = ({ agent }: { agent: AgentView }) =>
  agent.pausedAt === null ? <Pause id={agent.id} /> : <Resume id={agent.id} />;

function Pause({ id }: { id: string }) {
  return (
    <ReasonDialog
      trigger={
        <button type="button" className="btn btn-stop">
          Pause
        </button>
      }
      title="Pause this agent?"
      reason={REASON}
      confirm="Pause agent"
      keep="Keep it going"
      tone="stop"
      onConfirm={(reason) => pauseAgent(id, reason)}
    >
      <p>Nothing of it starts from then on, reads included.</p>
    </ReasonDialog>
  );
}

function Resume({ id }: { id: string }) {
  return (
    <ReasonDialog
      trigger={
        <button type="button" className="btn">
          Resume
        </button>
      }
      title="Resume this agent?"
      reason={REASON}
      confirm="Resume agent"
      keep="Keep paused"
      onConfirm={(reason) => resumeAgent(id, reason)}
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
