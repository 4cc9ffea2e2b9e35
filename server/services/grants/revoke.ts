import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { AppError } from "@/server/domain/errors";
import { idOf } from "@/server/domain/ids";
import { audit } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { readGrant } from "@/server/services/grants/get";

/** Ends a grant for good. Once this returns, nothing starts under it. */
export const revokeGrant = command({
  name: "grant.revoke",
  callers: ["member"],
  permission: "grant:manage",
  input: z.strictObject({ id: idOf("grant") }),
  run: (actor, { id }) =>
    withOrg(actor.orgId, async (tx) => {
      await holdClaims(tx);
      const { agentId, connectionId } = await readGrant(tx, id);
      const { count } = await tx.grant.updateMany({
        where: { id, revokedAt: null },
        data: { revokedAt: tx.now, version: { increment: 1 } },
      });
      if (count === 0) throw new AppError("conflict", "The grant is revoked already.", { reason: "grant_revoked" });
      const grant = await readGrant(tx, id);
      const fields = { grant: id, connection: connectionId, version: grant.version };
      await audit(tx, { type: "grant.revoked", actor, at: tx.now, agentId, fields });
      return grant;
    }),
});
