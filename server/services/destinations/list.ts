import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import type { TrustedDestination } from "@/server/domain/destination";
import { cutPage, pageOf } from "@/server/domain/page";
import { command } from "@/server/services/command";

export type DestinationView = {
  readonly id: string;
  readonly kind: TrustedDestination["kind"];
  readonly value: string;
  readonly createdBy: string;
  readonly createdAt: Date;
};
export const destinationColumns = { id: true, kind: true, value: true, createdBy: true, createdAt: true } as const;

type Row = Omit<DestinationView, "kind"> & { readonly kind: string };
/** A check constraint holds the column to these words. */
export const destinationView = (row: Row): DestinationView => ({ ...row, kind: row.kind as DestinationView["kind"] });

/** The destinations that the organization trusts, newest first. */
export const listDestinations = command({
  name: "destination.list",
  callers: ["member"],
  permission: "grant:read",
  input: z.strictObject(pageOf("trustedDestination")),
  run: (actor, { limit, cursor }) =>
    withOrg(actor.orgId, async (tx) => {
      const rows = await tx.trustedDestination.findMany({
        where: cursor === undefined ? {} : { id: { lt: cursor } },
        orderBy: { id: "desc" },
        take: limit + 1,
        select: destinationColumns,
      });
      return cutPage(rows.map(destinationView), limit);
    }),
});

/** A trusted destination as OpenAPI describes it. */
export const destinationSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(["host", "email_domain", "email_address"]),
  value: z.string(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
});
