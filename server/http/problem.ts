import { AppError, type AppErrorCode } from "@/server/domain/errors";
import { outageOf } from "@/server/domain/outage";
import { errorFields, log } from "@/server/log";

/** Exhaustive by type: a new code does not compile until it has its status here. */
const STATUSES: Record<AppErrorCode, number> = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  refused: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
};

const TITLES: Record<AppErrorCode, string> = {
  invalid: "The call is not valid",
  unauthenticated: "No valid credential",
  forbidden: "Not allowed",
  refused: "Refused by a check",
  not_found: "Not found",
  conflict: "Not as it was",
  too_large: "Too large",
  rate_limited: "Too many calls",
  unavailable: "Not available now",
};

/** What HTTP itself is wrong about, rather than the fields of a call. */
const STATUS_OF_REASON: Readonly<Record<string, number>> = {
  json_syntax: 400,
  json_trailing_text: 400,
  json_invalid_utf8: 400,
  json_byte_order_mark: 400,
  malformed_request: 400,
  two_credentials: 400,
  method_not_allowed: 405,
  not_json: 415,
};

const statusOf = (error: AppError): number => STATUS_OF_REASON[error.reason] ?? STATUSES[error.code];

type Call = { readonly requestId: string };

/** An expected failure as a problem document (RFC 9457). `code` is stable; `detail` is for people. */
export function problemResponse(error: AppError, { requestId }: Call): Response {
  const { field, retryAfterS, extra } = error.details;
  const status = statusOf(error);
  const headers = new Headers(PROBLEM_HEADERS);
  if (retryAfterS !== undefined) headers.set("retry-after", String(retryAfterS));
  if (status === 401) headers.set("www-authenticate", 'Bearer realm="countersign"');
  const body = {
    ...extra,
    type: `urn:countersign:problem:${error.code}`,
    title: TITLES[error.code],
    status,
    detail: error.message,
    code: error.reason,
    // What a check refused says so in its own word as well.
    ...(extra?.check === undefined ? {} : { reason: error.message }),
    ...(field === undefined ? {} : { field }),
    requestId,
  };
  return new Response(JSON.stringify(body), { status, headers });
}

/** Whatever was thrown, as a problem document. A bug is logged by its kind and place, and told by its id alone. */
export function failureResponse(error: unknown, call: Call): Response {
  if (error instanceof AppError) return problemResponse(error, call);
  const outage = outageOf(error);
  if (outage) {
    log.error({ requestId: call.requestId, ...errorFields(error) }, "the database cannot be reached");
    return problemResponse(outage, call);
  }
  log.error({ requestId: call.requestId, ...errorFields(error) }, "a call failed");
  const body = {
    type: "urn:countersign:problem:internal_error",
    title: "Internal error",
    status: 500,
    detail: "internal error",
    code: "internal_error",
    requestId: call.requestId,
  };
  return new Response(JSON.stringify(body), { status: 500, headers: PROBLEM_HEADERS });
}

const PROBLEM_HEADERS = {
  "content-type": "application/problem+json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};
