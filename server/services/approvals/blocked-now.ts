import { AppError } from "@/server/domain/errors";
import { DENIALS } from "@/server/domain/verdict";
import { loadAsked } from "@/server/services/approvals/asked";
import { recheck } from "@/server/services/gateway/recheck";

type Blocked = { readonly check: string; readonly code: string; readonly message: string };

/**
 * What refuses a waiting call at this moment, where a check did when it was to run: a grant may have come back, or a
 * budget been raised. Whatever cannot be judged stays blocked as it was.
 */
export async function blockedNow(orgId: string, approvalId: string, was: Blocked): Promise<Blocked | null> {
  try {
    const { request } = await loadAsked(orgId, approvalId);
    const checked = await recheck(orgId, request);
    if (checked.kind === "passed") return null;
    const { check, denial } = checked;
    return { check, code: denial.code, message: DENIALS[denial.code] };
  } catch (error) {
    if (error instanceof AppError) return was;
    throw error;
  }
}
