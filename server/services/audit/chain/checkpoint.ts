import { canonicalBytes } from "@/server/domain/canonical-json";
import type { Head } from "@/server/services/audit/chain/hashes";
import { vault } from "@/server/vault/for-org";

/** What the chain was at a moment, under a MAC that only a holder of the KEK can make. */
export type Checkpoint = Head & { readonly mac: Buffer };

const bytesOf = (head: Head) => canonicalBytes({ v: 1, size: head.size, head: head.hash.toString("hex") });

/** Throws AppError `vault_key_missing`. */
export function checkpointOf(orgId: string, head: Head): Checkpoint {
  return { ...head, mac: vault().auditMac(orgId, bytesOf(head)) };
}

/** Whether the checkpoint was made with our key for this organization. Throws AppError `vault_key_missing`. */
export function isGenuine(orgId: string, checkpoint: Checkpoint): boolean {
  return vault().isAuditMac(orgId, bytesOf(checkpoint), checkpoint.mac);
}
