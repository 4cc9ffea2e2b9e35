import type { OrgTx } from "@/server/db/with-org";
import type { MemberActor } from "@/server/domain/actor";
import { audit } from "@/server/services/audit/record";
import type { DestinationView } from "@/server/services/destinations/list";

/** Writes down a change of trust. An address names a person, so it is recorded in a way that can be erased. */
export async function recordTrust(
  tx: OrgTx,
  change: {
    readonly type: "destination.trusted" | "destination.untrusted";
    readonly actor: MemberActor;
    readonly destination: DestinationView;
  },
): Promise<void> {
  const { id, kind, value } = change.destination;
  const entry = { type: change.type, actor: change.actor, at: tx.now };
  await audit(
    tx,
    kind === "email_address"
      ? { ...entry, fields: { destination: id, kind }, personal: { address: value } }
      : { ...entry, fields: { destination: id, kind, value } },
  );
}
