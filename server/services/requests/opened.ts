import type { JsonValue } from "@/server/domain/json";
import { openJson } from "@/server/services/gateway/content";
import type { RequestState } from "@/server/services/requests/request-state";

/** What the tool answered, or what is stored of why it did not; null where nothing is. */
export async function openResult(orgId: string, state: RequestState): Promise<JsonValue> {
  return state.sealedResult === null ? null : openJson(orgId, state.id, "result", state.sealedResult);
}

/** Why a person rejected it, in that person's words. */
export async function openReason(orgId: string, { rejection }: RequestState): Promise<string | null> {
  if (rejection === null) return null;
  const reason = await openJson(orgId, rejection.decisionId, "reason", rejection.sealed);
  return typeof reason === "string" ? reason : null;
}
