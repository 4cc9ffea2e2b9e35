import { pageSchema } from "@/server/domain/page";
import { agentDetailSchema, agentSchema } from "@/server/services/agents/agent-view";
import { changeAgent } from "@/server/services/agents/change";
import { createAgent } from "@/server/services/agents/create";
import { getAgent } from "@/server/services/agents/get";
import { issueAgentKey, issuedKeySchema } from "@/server/services/agents/issue-key";
import { listAgents } from "@/server/services/agents/list";
import { agentKeySchema, listAgentKeys } from "@/server/services/agents/list-keys";
import { pauseAgent } from "@/server/services/agents/pause";
import { resumeAgent } from "@/server/services/agents/resume";
import { revokeAgentKey, revokedKeySchema } from "@/server/services/agents/revoke-key";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Agents"] as const;

export const agentsRouter = router({
  list: procedureOf(listAgents, {
    method: "GET",
    path: "/agents",
    summary: "List agents, newest first.",
    tags,
    output: pageSchema(agentSchema),
  }),
  get: procedureOf(getAgent, {
    method: "GET",
    path: "/agents/{id}",
    summary: "Read one agent.",
    tags,
    output: agentDetailSchema,
  }),
  create: procedureOf(createAgent, {
    method: "POST",
    path: "/agents",
    summary: "Add an agent. It can do nothing until it has a key and a grant.",
    tags,
    successStatuses: [201],
    output: agentSchema,
    example: { name: "Order desk", autonomy: "supervised" },
  }),
  change: procedureOf(changeAgent, {
    method: "PATCH",
    path: "/agents/{id}",
    summary: "Change an agent that is still at the version you saw.",
    tags,
    output: agentSchema,
    example: { version: 1, readOnly: true },
  }),
  pause: procedureOf(pauseAgent, {
    method: "POST",
    path: "/agents/{id}/pause",
    summary: "Stop everything the agent asks for, reads included.",
    tags,
    output: agentSchema,
  }),
  resume: procedureOf(resumeAgent, {
    method: "POST",
    path: "/agents/{id}/resume",
    summary: "Let a paused agent ask again.",
    tags,
    output: agentSchema,
  }),
  listKeys: procedureOf(listAgentKeys, {
    method: "GET",
    path: "/agents/{id}/keys",
    summary: "List an agent's keys: who issued each, when it ends and when it was last used.",
    tags,
    output: pageSchema(agentKeySchema),
  }),
  issueKey: procedureOf(issueAgentKey, {
    method: "POST",
    path: "/agents/{id}/keys",
    summary: "Issue a key, shown this once. Two can be valid at a time.",
    tags,
    successStatuses: [201],
    output: issuedKeySchema,
    example: { expiresInDays: 90 },
  }),
  revokeKey: procedureOf(revokeAgentKey, {
    method: "POST",
    path: "/agents/{id}/keys/{keyId}/revoke",
    summary: "End a key for good.",
    tags,
    output: revokedKeySchema,
  }),
});
