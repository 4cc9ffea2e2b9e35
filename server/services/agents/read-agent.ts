import type { OrgTx } from "@/server/db/with-org";
import { type AgentView, agentColumns, agentView } from "@/server/services/agents/agent-view";
import { notFound } from "@/server/services/failures";

/** One agent of the transaction's organization. Throws `not_found`. */
export async function readAgent(tx: OrgTx, id: string): Promise<AgentView> {
  const row = await tx.agent.findUnique({ where: { id }, select: agentColumns });
  if (!row) throw notFound("agent");
  return agentView(row);
}
