import { z } from "zod";
import { newId } from "@/server/db/new-id";
import { withOrg } from "@/server/db/with-org";
import { credentialSchema } from "@/server/domain/credential";
import { audit } from "@/server/services/audit/record";
import { command } from "@/server/services/command";
import { readConnection } from "@/server/services/connections/connection-view";
import {
  accountSchema,
  capabilitiesSchema,
  checkCapabilities,
  checkSettings,
  connectionNameSchema,
  requireProvider,
  settingsSchema,
} from "@/server/services/connections/settings";
import { storeCredential } from "@/server/services/connections/store-credential";
import { onTaken } from "@/server/services/failures";

/** Links the organization to a provider. Nobody may use the connection until a grant says so. */
export const createConnection = command({
  name: "connection.create",
  callers: ["member"],
  permission: "connection:manage",
  input: z.strictObject({
    provider: z.string().min(1).max(60),
    name: connectionNameSchema,
    account: accountSchema.optional(),
    config: settingsSchema.default({}),
    capabilities: capabilitiesSchema.optional(),
    sensitive: z.boolean().default(false),
    credential: credentialSchema.optional(),
  }),
  run: (actor, input) => {
    const provider = requireProvider(input.provider);
    const config = checkSettings(provider, input.config);
    const { name, sensitive, credential, capabilities = [...provider.capabilities] } = input;
    checkCapabilities(provider, capabilities);
    const account = input.account ?? provider.account(config);
    return onTaken("A connection of this name", () =>
      withOrg(actor.orgId, async (tx) => {
        const id = newId("connection");
        await tx.connection.create({
          data: {
            ...{ id, orgId: tx.orgId, provider: provider.name, name, account, capabilities, sensitive },
            config: config as object,
            createdBy: actor.memberId,
          },
        });
        const fields = { connection: id, provider: provider.name, name, capabilities };
        await audit(tx, { type: "connection.created", actor, at: tx.now, fields });
        if (credential) await storeCredential(tx, { actor, connectionId: id, credential });
        return readConnection(tx, id);
      }),
    );
  },
});
