/**
 * Codes are part of the API: add freely, never rename. Each is mapped to an HTTP status and a tRPC code by an
 * exhaustive record in `server/http/problem.ts` and `server/trpc/init.ts`.
 */
export type AppErrorCode =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "refused"
  | "rate_limited"
  | "too_large"
  | "unavailable";

export type AppErrorDetails = {
  /** A stable, finer code shown as `code` on the wire, such as `digest_mismatch`. Defaults to the class code. */
  readonly reason?: string;
  /** The field at fault, as a path such as `arguments.to[0]`. */
  readonly field?: string;
  /** Whole seconds until a retry can succeed. */
  readonly retryAfterS?: number;
  /** Further members of the problem document. Never content, never secrets. */
  readonly extra?: Readonly<Record<string, unknown>>;
};

/** An expected failure. `message` reaches the caller; anything private belongs in `cause`. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: AppErrorCode;
  readonly details: AppErrorDetails;

  constructor(code: AppErrorCode, message: string, details: AppErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  /** The stable code on the wire. */
  get reason(): string {
    return this.details.reason ?? this.code;
  }
}
