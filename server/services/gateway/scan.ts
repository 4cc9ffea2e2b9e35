import type { JsonObject } from "@/server/domain/json";
import { type Hit, scanForSecrets } from "@/server/domain/secret-scan/scan";
import { errorFields, log } from "@/server/log";

/** Where a call looks as if it carried a secret. A scan that cannot be done counts as a hit: it fails closed. */
export async function scanCall(call: { readonly json: JsonObject; readonly note: string | undefined }): Promise<Hit[]> {
  const note = call.note === undefined ? {} : { note: call.note };
  try {
    return await scanForSecrets({ arguments: call.json, ...note });
  } catch (error) {
    log.error(errorFields(error), "the secret scan failed");
    return [{ field: "arguments", kind: "could not be checked" }];
  }
}
