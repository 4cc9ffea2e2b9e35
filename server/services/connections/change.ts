import { z } from "zod";
import { type OrgTx, withOrg } from "@/server/db/with-org";
import { credentialSchema } from "@/server/domain/credential";
import { idOf } from "@/server/domain/ids";
import { versionSchema } from "@/server/domain/version";
import { audit } from "@/server/services/audit/record";
import { changedNames, given } from "@/server/services/changes";
import { command } from "@/server/services/command";
import {
  CONNECTION_STATUSES,
  type ConnectionView,
  readConnection,
} from "@/server/services/connections/connection-view";
import {
  accountSchema,
  capabilitiesSchema,
  checkCapabilities,
  checkSettings,
  connectionNameSchema,
  leadsElsewhere,
  requireProvider,
  settingsSchema,
} from "@/server/services/connections/settings";
import { storeCredential } from "@/server/services/connections/store-credential";
import { holdClaims } from "@/server/services/controls/lock";
import { changedMeanwhile, invalidField, onTaken } from "@/server/services/failures";

const wantedSchema = z.strictObject({
  name: connectionNameSchema.optional(),
  account: accountSchema.optional(),
  config: settingsSchema.optional(),
  capabilities: capabilitiesSchema.optional(),
  sensitive: z.boolean().optional(),
  status: z.enum(CONNECTION_STATUSES).optional(),
});
type Wanted = z.output<typeof wantedSchema>;

/** Everything that is to be set: settings checked whole, and the account that follows from them unless it was named. */
function checkWanted(before: ConnectionView, wanted: Wanted) {
  const provider = requireProvider(before.provider);
  const { capabilities, config: raw, ...rest } = wanted;
  if (capabilities) checkCapabilities(provider, capabilities);
  const config = raw === undefined ? undefined : checkSettings(provider, raw);
  const follows = before.account === provider.account(before.config);
  const account = config && follows ? provider.account(config) : undefined;
  return given({ account, ...rest, capabilities, config });
}

/** A stored secret goes where it was meant to go: whoever points it elsewhere must have it. Throws `invalid`. */
function requireCredential(before: ConnectionView, config: unknown): void {
  if (before.credential === null || !leadsElsewhere(before.provider, before.config, config)) return;
  throw invalidField("credential", "must be given again, since the connection would send it elsewhere");
}

type Fields = ReturnType<typeof checkWanted>;

async function store(tx: OrgTx, before: ConnectionView, fields: Fields): Promise<string[]> {
  const changed = changedNames(before, fields);
  const isReconfigured = changed.includes("config") || changed.includes("account");
  const { config, ...plain } = fields;
  const { count } = await tx.connection.updateMany({
    where: { id: before.id, configVersion: before.configVersion },
    data: {
      ...plain,
      ...(config === undefined ? {} : { config: config as object }),
      ...(isReconfigured ? { configVersion: { increment: 1 } } : {}),
    },
  });
  if (count === 0) throw changedMeanwhile("connection");
  return changed;
}

/** Changes a connection whose settings are still those the caller saw. Other settings void what was approved before. */
export const changeConnection = command({
  name: "connection.change",
  callers: ["member"],
  permission: "connection:manage",
  input: wantedSchema.extend({
    id: idOf("connection"),
    configVersion: versionSchema,
    credential: credentialSchema.optional(),
  }),
  run: (actor, { id, configVersion, credential, ...wanted }) =>
    onTaken("A connection of this name", () =>
      withOrg(actor.orgId, async (tx) => {
        await holdClaims(tx);
        const before = await readConnection(tx, id);
        if (before.configVersion !== configVersion) throw changedMeanwhile("connection");
        const fields = checkWanted(before, wanted);
        if (fields.config && !credential) requireCredential(before, fields.config);
        const changed = await store(tx, before, fields);
        if (credential) await storeCredential(tx, { actor, connectionId: id, credential });
        const after = await readConnection(tx, id);
        const recorded = { connection: id, name: after.name, changed, version: after.configVersion };
        await audit(tx, { type: "connection.changed", actor, at: tx.now, fields: recorded });
        return after;
      }),
    ),
});
