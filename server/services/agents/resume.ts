import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { isActiveMember } from "@/server/services/agents/owner";
import { sealPauseNote } from "@/server/services/agents/pause-note";
import { readAgent } from "@/server/services/agents/read-agent";
import { audit } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { controlReasonSchema } from "@/server/services/controls/reason";
import { tellingLifted } from "@/server/services/controls/telling-lifted";
import { tell } from "@/server/services/tell";

/** Lets a paused agent ask again. One whose owner is disabled needs another owner first. */
export const resumeAgent = command({
  name: "agent.resume",
  callers: ["member"],
  permission: "control:activate",
  input: z.strictObject({ id: idOf("agent"), reason: controlReasonSchema.optional() }),
  run: (actor, { id, reason }) =>
    tellingLifted(actor.orgId, () =>
      withOrg(actor.orgId, async (tx) => {
        await holdClaims(tx);
        const { name, ownerId } = await readAgent(tx, id);
        await requireOwnerActive(tx, ownerId);
        const pauseNote = await sealPauseNote(tx, { agentId: id, reason, isStop: false });
        const { count } = await tx.agent.updateMany({
          where: { id, pausedAt: { not: null } },
          data: { pausedAt: null, pausedBy: null, pausedFor: null, pauseNote, version: { increment: 1 } },
        });
        if (count === 0) throw new AppError("conflict", "The agent is not paused.", { reason: "not_paused" });
        await audit(tx, [{ type: "agent.resumed", actor, at: tx.now, agentId: id, fields: { name } }]);
        await tell(tx, "agent", id);
        return readAgent(tx, id);
      }),
    ),
});

async function requireOwnerActive(tx: OrgTx, ownerId: string): Promise<void> {
  if (await isActiveMember(tx, ownerId)) return;
  throw new AppError("conflict", "The agent's owner is disabled. Give it another owner first.", {
    reason: "owner_disabled",
  });
}
