import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { sealPauseNote } from "@/server/services/agents/pause-note";
import { readAgent } from "@/server/services/agents/read-agent";
import { audit } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { controlReasonSchema } from "@/server/services/controls/reason";
import { tell } from "@/server/services/tell";

/** Stops everything an agent asks for, reads included. Once this returns, no effect of it starts. */
export const pauseAgent = command({
  name: "agent.pause",
  callers: ["member"],
  permission: "control:activate",
  input: z.strictObject({ id: idOf("agent"), reason: controlReasonSchema.optional() }),
  run: (actor, { id, reason }) =>
    withOrg(actor.orgId, async (tx) => {
      await holdClaims(tx);
      const { name } = await readAgent(tx, id);
      const pauseNote = await sealPauseNote(tx, { agentId: id, reason, isStop: true });
      const { count } = await tx.agent.updateMany({
        // A pause that only goes with its owner's absence becomes one that stays.
        where: { id, OR: [{ pausedAt: null }, { pausedFor: { not: null } }] },
        data: { pausedAt: tx.now, pausedBy: actor.memberId, pausedFor: null, pauseNote, version: { increment: 1 } },
      });
      if (count === 0) throw new AppError("conflict", "The agent is paused already.", { reason: "already_paused" });
      await audit(tx, [{ type: "agent.paused", actor, at: tx.now, agentId: id, fields: { name } }]);
      await tell(tx, "agent", id);
      return readAgent(tx, id);
    }),
});
