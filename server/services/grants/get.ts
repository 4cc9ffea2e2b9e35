import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { command } from "@/server/services/command";
import { notFound } from "@/server/services/failures";
import { type GrantView, grantColumns, grantView } from "@/server/services/grants/grant-view";

/** One grant of the transaction's organization. Throws `not_found`. */
export async function readGrant(tx: OrgTx, id: string): Promise<GrantView> {
  const row = await tx.grant.findUnique({ where: { id }, select: grantColumns });
  if (!row) throw notFound("grant");
  return grantView(row);
}

/** One grant. */
export const getGrant = command({
  name: "grant.get",
  callers: ["member"],
  permission: "grant:read",
  input: z.strictObject({ id: idOf("grant") }),
  run: (actor, { id }) => withOrg(actor.orgId, (tx) => readGrant(tx, id)),
});
