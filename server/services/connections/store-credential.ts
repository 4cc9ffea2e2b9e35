import { dataKeysOf } from "@/server/db/data-keys";
import { newId } from "@/server/db/new-id";
import type { OrgTx } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import type { StoredCredential } from "@/server/domain/credential";
import { audit } from "@/server/services/audit/record";
import { requireProvider } from "@/server/services/connections/settings";
import { invalidField, notFound } from "@/server/services/failures";
import { sealForOrg } from "@/server/vault/for-org";

const MIN_HINTED_BYTES = 20;
const HINT_LENGTH = 4;

/** Enough to tell two long secrets apart; of a short one it would give away too much. */
function hintOf(credential: StoredCredential): string {
  const secret = credential.kind === "header" ? credential.value : credential.password;
  return Buffer.byteLength(secret, "utf8") < MIN_HINTED_BYTES ? "" : secret.slice(-HINT_LENGTH);
}

type Store = {
  readonly actor: MemberActor;
  readonly connectionId: string;
  readonly credential: StoredCredential;
};

/**
 * Seals a credential and makes it the one in use; the one before is retired, and what was retired earlier is
 * destroyed. Works under the lock of the connection's row. Throws `not_found`, `invalid`, `vault_…`.
 */
export async function storeCredential(tx: OrgTx, { actor, connectionId, credential }: Store): Promise<void> {
  const [connection] = await tx.$queryRaw<{ provider: string }[]>`
    SELECT provider FROM connection WHERE id = ${connectionId} FOR NO KEY UPDATE`;
  if (!connection) throw notFound("connection");
  const kinds = requireProvider(connection.provider).credentialKinds;
  if (!kinds.includes(credential.kind)) throw invalidField("credential.kind", `must be ${kinds.join(" or ")}`);
  const last = await retireOld(tx, connectionId);
  const version = (last?.version ?? 0) + 1;
  const id = newId("credential");
  const { kind } = credential;
  const binding = { orgId: tx.orgId, record: id, version, kind };
  const plaintext = Buffer.from(JSON.stringify(credential), "utf8");
  const sealed = await sealForOrg(dataKeysOf(tx), binding, plaintext);
  plaintext.fill(0);
  await tx.credential.create({
    data: {
      ...{ id, orgId: tx.orgId, connectionId, version, kind },
      sealed: Buffer.from(sealed),
      hint: hintOf(credential),
      createdBy: actor.memberId,
    },
  });
  const stored = { connection: connectionId, version, kind };
  const entry = { actor, at: tx.now, credential: id };
  await audit(
    tx,
    last === null
      ? { ...entry, type: "credential.stored", fields: stored }
      : { ...entry, type: "credential.rotated", fields: { ...stored, replaced: last.id } },
  );
}

async function retireOld(tx: OrgTx, connectionId: string): Promise<{ id: string; version: number } | null> {
  await tx.credential.updateMany({
    where: { connectionId, status: "retired" },
    data: { status: "destroyed", sealed: null },
  });
  await tx.credential.updateMany({
    where: { connectionId, status: "active" },
    data: { status: "retired", retiredAt: tx.now },
  });
  return tx.credential.findFirst({
    where: { connectionId },
    orderBy: { version: "desc" },
    select: { id: true, version: true },
  });
}
