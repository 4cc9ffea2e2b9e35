import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { cutPage, pageOf } from "@/server/domain/page";
import { agentColumns, agentView } from "@/server/services/agents/agent-view";
import { command } from "@/server/services/command";

/** The organization's agents, newest first. */
export const listAgents = command({
  name: "agent.list",
  callers: ["member"],
  permission: "agent:read",
  input: z.strictObject(pageOf("agent")),
  run: (actor, { limit, cursor }) =>
    withOrg(actor.orgId, async (tx) => {
      const rows = await tx.agent.findMany({
        where: cursor === undefined ? {} : { id: { lt: cursor } },
        orderBy: { id: "desc" },
        take: limit + 1,
        select: agentColumns,
      });
      return cutPage(rows.map(agentView), limit);
    }),
});
