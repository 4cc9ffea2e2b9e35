import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { command } from "@/server/services/command";
import { holdClaims } from "@/server/services/controls/lock";
import { destinationColumns, destinationView } from "@/server/services/destinations/list";
import { recordTrust } from "@/server/services/destinations/record";
import { notFound } from "@/server/services/failures";

/** Ends the trust in a destination: from now on what goes there is outward. */
export const untrustDestination = command({
  name: "destination.untrust",
  callers: ["member"],
  permission: "grant:manage",
  input: z.strictObject({ id: idOf("trustedDestination") }),
  run: (actor, { id }) =>
    withOrg(actor.orgId, async (tx) => {
      await holdClaims(tx);
      const row = await tx.trustedDestination.findUnique({ where: { id }, select: destinationColumns });
      const { count } = await tx.trustedDestination.deleteMany({ where: { id } });
      if (!row || count === 0) throw notFound("trusted destination");
      const destination = destinationView(row);
      await recordTrust(tx, { type: "destination.untrusted", actor, destination });
      return destination;
    }),
});
