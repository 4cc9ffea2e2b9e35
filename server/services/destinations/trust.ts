import { newId } from "@/server/db/new-id";
import { withOrg } from "@/server/db/with-org";
import { type TrustedDestination, trustedDestinationSchema } from "@/server/domain/destination";
import { AppError } from "@/server/domain/errors";
import { parsePlainUrl } from "@/server/domain/plain-url";
import { command } from "@/server/services/command";
import { destinationColumns, destinationView } from "@/server/services/destinations/list";
import { recordTrust } from "@/server/services/destinations/record";
import { onTaken } from "@/server/services/failures";

const MAX_DESTINATIONS = 1_000;

/** As the targets of calls spell it: lower case, and the port of https left out. */
function spelled({ kind, value }: TrustedDestination): string {
  const read = kind === "host" ? parsePlainUrl(`https://${value}/`) : null;
  return read?.ok ? read.url.host : value.toLowerCase();
}

/** Marks a destination as trusted: what goes there is no longer outward. */
export const trustDestination = command({
  name: "destination.trust",
  callers: ["member"],
  permission: "grant:manage",
  input: trustedDestinationSchema,
  run: (actor, { kind, value }) =>
    onTaken("This trusted destination", () =>
      withOrg(actor.orgId, async (tx) => {
        if ((await tx.trustedDestination.count()) >= MAX_DESTINATIONS) {
          throw new AppError("conflict", `At most ${MAX_DESTINATIONS} destinations.`, { reason: "too_many" });
        }
        const row = await tx.trustedDestination.create({
          data: {
            id: newId("trustedDestination"),
            orgId: tx.orgId,
            kind,
            value: spelled({ kind, value }),
            createdBy: actor.memberId,
          },
          select: destinationColumns,
        });
        const destination = destinationView(row);
        await recordTrust(tx, { type: "destination.trusted", actor, destination });
        return destination;
      }),
    ),
});
