import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { cutPage, pageOf } from "@/server/domain/page";
import { given } from "@/server/services/changes";
import { command } from "@/server/services/command";
import { grantColumns, grantView } from "@/server/services/grants/grant-view";

/** Grants, newest first; of one agent or over one connection if asked. Revoked ones are among them. */
export const listGrants = command({
  name: "grant.list",
  callers: ["member"],
  permission: "grant:read",
  input: z.strictObject({
    agentId: idOf("agent").optional(),
    connectionId: idOf("connection").optional(),
    ...pageOf("grant"),
  }),
  run: (actor, { agentId, connectionId, limit, cursor }) =>
    withOrg(actor.orgId, async (tx) => {
      const rows = await tx.grant.findMany({
        where: { ...given({ agentId, connectionId }), ...(cursor === undefined ? {} : { id: { lt: cursor } }) },
        orderBy: { id: "desc" },
        take: limit + 1,
        select: grantColumns,
      });
      return cutPage(rows.map(grantView), limit);
    }),
});
