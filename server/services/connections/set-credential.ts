import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { credentialSchema } from "@/server/domain/credential";
import { idOf } from "@/server/domain/ids";
import { command } from "@/server/services/command";
import { type ConnectionView, readConnection } from "@/server/services/connections/connection-view";
import { storeCredential } from "@/server/services/connections/store-credential";
import { holdClaims } from "@/server/services/controls/lock";

/** Gives a connection its credential, or another one. What waits for a person stays as it is. */
export const setCredential = command({
  name: "connection.set_credential",
  callers: ["member"],
  permission: "connection:manage",
  input: z.strictObject({ id: idOf("connection"), credential: credentialSchema }),
  run: (actor, { id, credential }) =>
    withOrg(actor.orgId, async (tx): Promise<ConnectionView> => {
      await holdClaims(tx);
      await storeCredential(tx, { actor, connectionId: id, credential });
      return readConnection(tx, id);
    }),
});
