import { dataKeysOf } from "@/server/db/data-keys";
import type { OrgTx } from "@/server/db/with-org";
import { canonicalBytes } from "@/server/domain/canonical-json";
import { AppError } from "@/server/domain/errors";
import { log } from "@/server/log";
import { controlReasonSchema } from "@/server/services/controls/reason";
import { openForOrg, sealForOrg } from "@/server/vault/for-org";

const bindingOf = (tx: OrgTx, agentId: string) => ({
  orgId: tx.orgId,
  record: agentId,
  version: 1,
  kind: "agent_pause",
});

type Note = { readonly agentId: string; readonly reason: string | undefined; readonly isStop: boolean };

/**
 * Seals why an agent is paused or let go on. Without a working key a pause still pauses, and its reason is not kept.
 * Throws AppError `vault_…` for the other.
 */
export async function sealPauseNote(
  tx: OrgTx,
  { agentId, reason, isStop }: Note,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (reason === undefined) return null;
  try {
    return new Uint8Array(await sealForOrg(dataKeysOf(tx), bindingOf(tx, agentId), canonicalBytes(reason)));
  } catch (error) {
    if (!isStop || !(error instanceof AppError)) throw error;
    log.error({ orgId: tx.orgId, code: error.reason }, "why an agent was paused could not be stored");
    return null;
  }
}

/** The reason in words, or null where there is none or it cannot be opened: the agent is shown all the same. */
export async function openPauseNote(tx: OrgTx, agentId: string): Promise<string | null> {
  const row = await tx.agent.findUnique({ where: { id: agentId }, select: { pauseNote: true } });
  if (!row?.pauseNote) return null;
  try {
    const bytes = await openForOrg(dataKeysOf(tx), bindingOf(tx, agentId), row.pauseNote);
    return controlReasonSchema.parse(JSON.parse(bytes.toString("utf8")));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.error({ orgId: tx.orgId, code: error.reason }, "why an agent was paused could not be opened");
    return null;
  }
}
