import { isJsonObject } from "@/server/domain/json";
import { type Standing, standingOf } from "@/server/domain/standing";
import { openReason, openResult } from "@/server/services/requests/opened";
import type { RequestState } from "@/server/services/requests/request-state";

/** Where a request stands, by whom and why: content, where a person or the other side said why. */
export async function readStanding(orgId: string, state: RequestState): Promise<Standing> {
  return standingOf({
    ...state,
    editedBy: state.edits.at(-1)?.name ?? null,
    endedBy: state.ended.by,
    isResolved: state.ended.isResolved,
    words: await wordsOf(orgId, state),
  });
}

async function wordsOf(orgId: string, state: RequestState): Promise<string | null> {
  if (state.status === "rejected") return openReason(orgId, state);
  const isSaid = state.status === "failed" || state.status === "outcome_unknown" || state.ended.isResolved;
  const result = isSaid ? await openResult(orgId, state) : null;
  return isJsonObject(result) && typeof result.message === "string" ? result.message : null;
}
