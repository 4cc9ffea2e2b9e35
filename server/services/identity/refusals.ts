import { AppError } from "@/server/domain/errors";

/** One answer for every credential that does not hold, so that nothing can be learned from the difference. */
export const invalidCredential = (): AppError =>
  new AppError("unauthenticated", "The credential is not valid.", { reason: "invalid_credential" });

export const tooManyCalls = (waitS: number): AppError =>
  new AppError("rate_limited", "Too many calls with this credential.", { retryAfterS: Math.max(1, Math.ceil(waitS)) });

/** Told to whoever presents a whole key that nothing but its issuer's absence ended. */
export const issuerDisabled = (): AppError =>
  new AppError(
    "unauthenticated",
    "Whoever issued this key is disabled. Another owner or admin can issue a new key; this one holds again if they are enabled again.",
    { reason: "key_issuer_disabled" },
  );
