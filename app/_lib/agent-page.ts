import "server-only";
import type { AgentPageProps } from "@/app/_ui/agents/agent-detail";
import type { MemberActor } from "@/server/domain/actor";
import { getAgent } from "@/server/services/agents/get";
import { listAgentKeys } from "@/server/services/agents/list-keys";
import { listConnections } from "@/server/services/connections/list";
import { consoleSummary } from "@/server/services/console/summary";
import { listGrants } from "@/server/services/grants/list";
import { listToolRequests } from "@/server/services/requests/list";
import { orNotFound } from "./actor";
import { departmentChoices, ownerChoices } from "./choices";
import { requestRow } from "./request-views";

const LIMIT = 100;
const RECENT = 10;

/** Everything about one agent that this person may see, read at once. */
export async function agentPage(actor: MemberActor, id: string): Promise<AgentPageProps> {
  const has = actor.permissions.has.bind(actor.permissions);
  const agent = await orNotFound(getAgent(actor, { id }));
  const [keys, grants, recent, connections, owners, departments, { now }] = await Promise.all([
    listAgentKeys(actor, { id, limit: LIMIT }),
    has("grant:read") ? listGrants(actor, { agentId: id, limit: LIMIT }) : undefined,
    has("request:read") ? listToolRequests(actor, { agentId: id, limit: RECENT }) : undefined,
    has("grant:manage") ? listConnections(actor, { limit: LIMIT }) : undefined,
    ownerChoices(actor),
    departmentChoices(actor),
    consoleSummary(actor, {}),
  ]);
  return {
    agent,
    keys: keys.items,
    grants: grants?.items,
    recent: recent?.items.map(requestRow),
    connections: connections?.items.map(({ id: value, name, provider }) => ({ id: value, name, provider })) ?? [],
    owners,
    departments,
    now,
    may: {
      activate: has("control:activate"),
      manage: has("agent:manage"),
      grant: has("grant:manage"),
      keys: has("agent_key:manage") && (has("agent:manage") || agent.ownerId === actor.memberId),
    },
  };
}
