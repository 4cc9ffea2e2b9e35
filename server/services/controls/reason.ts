import { dataKeysOfSql } from "@/server/db/data-keys";
import type { OrgSql } from "@/server/db/with-org";
import { canonicalBytes } from "@/server/domain/canonical-json";
import { AppError } from "@/server/domain/errors";
import { writtenText } from "@/server/domain/text";
import { log } from "@/server/log";
import { openForOrg, sealForOrg } from "@/server/vault/for-org";

/** Why a control is moved, in words. It is content: sealed, and never in the audit log. */
export const controlReasonSchema = writtenText(1_000);

const kind = "control_reason";
/** Each version of the controls has a reason of its own; what is in force has it under the organization's id. */
const recordOf = (orgId: string, version: number | "in_force") =>
  version === "in_force" ? orgId : `${orgId}:${version}`;

type Place = { readonly version: number | "in_force"; readonly isStop: boolean };

/**
 * Seals a reason. Without a working key a stop still stops, and its reason is not kept; anything else fails.
 * Throws AppError `vault_…`.
 */
export async function sealReason(q: OrgSql, reason: string, { version, isStop }: Place): Promise<Buffer | null> {
  const binding = { orgId: q.orgId, record: recordOf(q.orgId, version), version: 1, kind };
  try {
    return await sealForOrg(dataKeysOfSql(q), binding, canonicalBytes(reason));
  } catch (error) {
    if (!isStop || !(error instanceof AppError)) throw error;
    log.error({ orgId: q.orgId, code: error.reason }, "a control's reason could not be stored");
    return null;
  }
}

/** The reason in words, or null where there is none or it cannot be opened: what is stopped is shown all the same. */
export async function openReason(
  q: OrgSql,
  sealed: Buffer | null,
  version: number | "in_force",
): Promise<string | null> {
  if (sealed === null) return null;
  const binding = { orgId: q.orgId, record: recordOf(q.orgId, version), version: 1, kind };
  try {
    const bytes = await openForOrg(dataKeysOfSql(q), binding, sealed);
    return controlReasonSchema.parse(JSON.parse(bytes.toString("utf8")));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.error({ orgId: q.orgId, code: error.reason }, "a control's reason could not be opened");
    return null;
  }
}
