import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { command } from "@/server/services/command";
import { readConnection } from "@/server/services/connections/connection-view";

/** One connection, without what is in the vault. */
export const getConnection = command({
  name: "connection.get",
  callers: ["member"],
  permission: "connection:read",
  input: z.strictObject({ id: idOf("connection") }),
  run: (actor, { id }) => withOrg(actor.orgId, (tx) => readConnection(tx, id)),
});
