import { AppError } from "@/server/domain/errors";
import type { JsonValue } from "@/server/domain/json";
import { type Standing, WHY_IS_CONTENT } from "@/server/domain/standing";
import type { RequestStatus } from "@/server/domain/tool-request";
import { type CheckName, DENIALS, type DenyCode } from "@/server/domain/verdict";
import { type EditView, openEdits } from "@/server/services/requests/edits";
import { openReason, openResult } from "@/server/services/requests/opened";
import { findRequest, type RequestState } from "@/server/services/requests/request-state";
import { readStanding } from "@/server/services/requests/standing";

/** What an approval asks for, as the requester may know it. */
export type AskedApproval = {
  readonly id: string;
  /** Null where it does not expire. */
  readonly expiresAt: Date | null;
  readonly reasons: readonly { readonly code: string; readonly text: string }[];
  /** As things stand it would only wait to expire; `message` says why. */
  readonly nobodyCanApprove?: true;
  readonly message?: string;
};

/** The part of an answer that says so, or nothing. */
export const nobodyPart = (nobody: string | null | undefined): Pick<AskedApproval, "nobodyCanApprove" | "message"> =>
  nobody ? { nobodyCanApprove: true, message: nobody } : {};

/** A request's state as its agent gets it. */
export type Answer = {
  readonly id: string;
  readonly status: RequestStatus;
  readonly version: number;
  /** Where it stands, by whom and why, in words. */
  readonly standing?: Standing;
  readonly result?: JsonValue;
  readonly error?: { readonly code: string; readonly message: string };
  readonly approval?: AskedApproval;
  readonly blocked?: { readonly check: string; readonly code: string; readonly message: string };
  readonly runsAt?: Date;
  readonly cancelUntil?: Date;
  /** Who approved or rejected it, by name. */
  readonly decidedBy?: readonly string[];
  /** What approvers changed before approving, oldest first. What runs is what they made of it. */
  readonly edits?: readonly EditView[];
  /** Why a person rejected it, in that person's words. */
  readonly reason?: string;
  /** The request that a person made of this proposal. */
  readonly takenUpAs?: string;
  readonly code?: string;
  readonly check?: string;
  readonly message?: string;
};

/** The refusal that a denied request is, for the caller who submits it. */
export function refusal(
  id: string,
  check: CheckName,
  code: DenyCode,
  more: { field?: string; detail?: string; retryAfterS?: number },
): AppError {
  const isLimit = code === "usage_limit" || code === "too_many_pending";
  const message = more.detail === undefined ? DENIALS[code] : `${DENIALS[code].replace(/\.$/, "")}: ${more.detail}.`;
  return new AppError(isLimit ? "rate_limited" : "refused", message, {
    reason: code,
    ...(more.field === undefined ? {} : { field: more.field }),
    ...(more.retryAfterS === undefined ? {} : { retryAfterS: more.retryAfterS }),
    extra: { check, id },
  });
}

const isDenyCode = (code: string | null): code is DenyCode => code !== null && Object.hasOwn(DENIALS, code);
const messageOf = (code: string | null): string => (isDenyCode(code) ? DENIALS[code] : "It was refused.");

/** The state of a request. With `throwRefusal` a denied one is thrown as when it was submitted: a refusal stays one. */
export async function answerOf(
  orgId: string,
  id: string,
  options: { throwRefusal?: boolean; agentId?: string } = {},
): Promise<Answer> {
  const state = await findRequest(orgId, id, options.agentId);
  if (state === null) throw new AppError("not_found", "There is no such request.");
  if (options.throwRefusal && state.status === "denied" && isDenyCode(state.deniedCode)) {
    throw refusal(id, state.deniedCheck as CheckName, state.deniedCode, {});
  }
  return describe(orgId, state);
}

async function describe(orgId: string, state: RequestState): Promise<Answer> {
  const edits = await openEdits(orgId, state.id, state.edits, state.sealedArguments);
  const base = {
    id: state.id,
    status: state.status,
    version: state.version,
    standing: await readStanding(orgId, state),
    ...(state.decidedBy.length === 0 ? {} : { decidedBy: state.decidedBy }),
    ...(edits.length === 0 ? {} : { edits }),
  };
  switch (state.status) {
    case "denied":
      return {
        ...base,
        code: state.deniedCode ?? "denied",
        check: state.deniedCheck ?? "controls",
        message: messageOf(state.deniedCode),
        ...(state.takenUpAs === null ? {} : { takenUpAs: state.takenUpAs }),
      };
    case "pending":
      return { ...base, ...(state.approval ? { approval: approvalPart(state.approval) } : {}), ...blockedPart(state) };
    case "scheduled":
      return state.runsAt ? { ...base, runsAt: state.runsAt, cancelUntil: state.runsAt } : base;
    case "succeeded":
      return { ...base, result: await openResult(orgId, state) };
    case "failed":
    case "outcome_unknown":
      return { ...base, error: await openError(orgId, state) };
    case "rejected":
      return { ...base, ...(await reasonPart(orgId, state)) };
    case "ready":
    case "executing":
    case "expired":
    case "withdrawn":
    case "cancelled":
      return base;
  }
}

const approvalPart = ({ nobody, ...asked }: NonNullable<RequestState["approval"]>): AskedApproval => ({
  ...asked,
  ...nobodyPart(nobody),
});

const blockedPart = (state: RequestState) =>
  state.blockedCode === null
    ? {}
    : { blocked: { check: state.blockedCheck ?? "", code: state.blockedCode, message: messageOf(state.blockedCode) } };

const UNKNOWN_MESSAGE = "We do not know whether it happened. A person has to look and mark it done or not done.";

async function openError(orgId: string, state: RequestState): Promise<{ code: string; message: string }> {
  const code = state.errorCode ?? "unknown";
  const stored = await openResult(orgId, state);
  if (stored !== null && typeof stored === "object" && !Array.isArray(stored) && typeof stored.message === "string") {
    return { code, message: stored.message };
  }
  return { code, message: state.status === "outcome_unknown" ? UNKNOWN_MESSAGE : "It did not happen." };
}

async function reasonPart(orgId: string, state: RequestState): Promise<{ reason?: string }> {
  const reason = await openReason(orgId, state);
  return reason === null ? {} : { reason };
}

/** Content is for those who may see it: others get the state without result, error text and reasons. */
export function withholdContent(answer: Answer): Answer {
  const { result: _result, reason: _reason, standing, error, ...rest } = answer;
  return {
    ...rest,
    ...(standing ? { standing: withoutContent(standing) } : {}),
    ...(error ? { error: { code: error.code, message: "Its text is content, which you may not see." } } : {}),
  };
}

/** Where a request stands, for who may not read what people and other systems wrote. */
export const withoutContent = (standing: Standing): Standing =>
  WHY_IS_CONTENT.has(standing.code) ? { ...standing, why: null } : standing;
