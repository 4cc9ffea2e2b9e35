import { dataKeySource } from "@/server/db/data-keys";
import { canonicalBytes } from "@/server/domain/canonical-json";
import type { JsonValue } from "@/server/domain/json";
import { openForOrg, sealForOrg } from "@/server/vault/for-org";

/** What is sealed of a request, an approval or a control: the kind is part of the binding. */
export type ContentKind = "arguments" | "note" | "result" | "reason" | "control_reason" | "slack_phrase";

const binding = (orgId: string, record: string, kind: ContentKind) => ({ orgId, record, version: 1, kind });

/** Seals canonical JSON for one record of one organization. Throws AppError where there is no key. */
export const sealJson = (orgId: string, record: string, kind: ContentKind, value: JsonValue): Promise<Buffer> =>
  sealForOrg(dataKeySource, binding(orgId, record, kind), canonicalBytes(value));

/** Opens what `sealJson` sealed for exactly this place. */
export async function openJson(
  orgId: string,
  record: string,
  kind: ContentKind,
  sealed: Uint8Array,
): Promise<JsonValue> {
  const bytes = await openForOrg(dataKeySource, binding(orgId, record, kind), sealed);
  return JSON.parse(bytes.toString("utf8")) as JsonValue;
}
