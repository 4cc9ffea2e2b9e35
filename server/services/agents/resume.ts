import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { readAgent } from "@/server/services/agents/read-agent";
import { audit } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { tell } from "@/server/services/tell";

/** Lets a paused agent ask again. */
export const resumeAgent = command({
  name: "agent.resume",
  callers: ["member"],
  permission: "control:activate",
  input: z.strictObject({ id: idOf("agent") }),
  run: (actor, { id }) =>
    withOrg(actor.orgId, async (tx) => {
      const { name } = await readAgent(tx, id);
      const { count } = await tx.agent.updateMany({
        where: { id, pausedAt: { not: null } },
        data: { pausedAt: null, pausedBy: null, version: { increment: 1 } },
      });
      if (count === 0) throw new AppError("conflict", "The agent is not paused.", { reason: "not_paused" });
      await audit(tx, [{ type: "agent.resumed", actor, at: tx.now, agentId: id, fields: { name } }]);
      await tell(tx, "agent", id);
      return readAgent(tx, id);
    }),
});
