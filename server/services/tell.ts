import type { OrgTx } from "@/server/db/with-org";

/** Tells open pages that something changed: an opaque id, sent when the transaction commits. */
export async function tell(tx: OrgTx, kind: string, id: string): Promise<void> {
  await tx.$queryRaw`SELECT app.tell(${kind}, ${id})::text`;
}
