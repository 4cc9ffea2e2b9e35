import Link from "next/link";
import { Empty } from "@/app/_ui/bits";
import { SafeText } from "@/app/_ui/safe-text";
import type { AgentView } from "@/server/services/agents/agent-view";
import { AgentPills } from "./agent-pills";

export function AgentList({ agents }: { agents: readonly AgentView[] }) {
  if (agents.length === 0) {
    return (
      <Empty>
        <p>No agent yet: create one, give it a key and a grant, and its first request appears under Approvals.</p>
      </Empty>
    );
  }
  return (
    <table className="table table-stack">
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">State</th>
          <th scope="col">Owner</th>
          <th scope="col">Department</th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <tr key={agent.id}>
            <td>
              <Link
                className="font-semibold underline-offset-2 hover:underline"
                href={`/agents/${agent.id}`}
                prefetch={false}
              >
                <SafeText text={agent.name} oneLine />
              </Link>
            </td>
            <td>
              <AgentPills agent={agent} />
            </td>
            <td data-label="Owner">
              <SafeText text={agent.ownerName} oneLine />
            </td>
            <td data-label="Department">
              {agent.department === null ? (
                <span className="text-text3">none</span>
              ) : (
                <SafeText text={agent.department} oneLine />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
