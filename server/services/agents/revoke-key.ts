import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { lockForKeys } from "@/server/services/agents/owner";
import { audit } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { notFound } from "@/server/services/failures";

/** Ends a key for good. Once this returns, no call under it starts an effect. */
export const revokeAgentKey = command({
  name: "agent_key.revoke",
  callers: ["member"],
  permission: "agent_key:manage",
  input: z.strictObject({ id: idOf("agent"), keyId: idOf("agentKey") }),
  run: (actor, { id: agentId, keyId }) =>
    withOrg(actor.orgId, async (tx) => {
      await holdClaims(tx);
      await lockForKeys(tx, actor, agentId);
      const key = await tx.agentKey.findFirst({ where: { id: keyId, agentId }, select: { id: true } });
      if (!key) throw notFound("key");
      const { count } = await tx.agentKey.updateMany({
        // One that only waits for its issuer to be enabled again is ended for good.
        where: { id: keyId, agentId, OR: [{ revokedAt: null }, { revokedFor: { not: null } }] },
        data: { revokedAt: tx.now, revokedFor: null },
      });
      if (count === 0) throw new AppError("conflict", "The key is revoked already.", { reason: "already_revoked" });
      await audit(tx, { type: "agent_key.revoked", actor, at: tx.now, agentId, fields: { key: keyId } });
      return { id: keyId, revokedAt: tx.now };
    }),
});

/** What OpenAPI says of the answer. */
export const revokedKeySchema = z.strictObject({ id: z.string(), revokedAt: z.iso.datetime() });
