import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import type { AgentDetailView } from "@/server/services/agents/agent-view";
import { openPauseNote } from "@/server/services/agents/pause-note";
import { readAgent } from "@/server/services/agents/read-agent";
import { command } from "@/server/services/command";

/** One agent, with why a person paused it or let it go on last. */
export const getAgent = command({
  name: "agent.get",
  callers: ["member"],
  permission: "agent:read",
  input: z.strictObject({ id: idOf("agent") }),
  run: (actor, { id }) =>
    withOrg(
      actor.orgId,
      async (tx): Promise<AgentDetailView> => ({
        ...(await readAgent(tx, id)),
        pauseNote: await openPauseNote(tx, id),
      }),
    ),
});
