import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { cutPage, pageOf } from "@/server/domain/page";
import { command } from "@/server/services/command";
import { connectionColumns, connectionView } from "@/server/services/connections/connection-view";

/** The organization's connections, newest first. Metadata alone: what is in the vault stays there. */
export const listConnections = command({
  name: "connection.list",
  callers: ["member"],
  permission: "connection:read",
  input: z.strictObject(pageOf("connection")),
  run: (actor, { limit, cursor }) =>
    withOrg(actor.orgId, async (tx) => {
      const rows = await tx.connection.findMany({
        where: cursor === undefined ? {} : { id: { lt: cursor } },
        orderBy: { id: "desc" },
        take: limit + 1,
        select: connectionColumns,
      });
      return cutPage(rows.map(connectionView), limit);
    }),
});
