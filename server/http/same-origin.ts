import { AppError } from "@/server/domain/errors";
import { env } from "@/server/env";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Stops another site from using a person's cookie: a call that changes something must come from our own pages.
 * Browsers say where a call comes from in Sec-Fetch-Site and Origin; whatever sends neither is not a browser and
 * holds no cookie that it was not given. The cookie itself is SameSite=Lax. Throws AppError `forbidden`.
 */
export function requireSameOrigin(request: Request): void {
  if (SAFE.has(request.method) || request.headers.get("cookie") === null) return;
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  if ((site === null || site === "same-origin") && (origin === null || isOurs(origin, request))) return;
  throw new AppError("forbidden", "A call with a cookie must come from this site.", { reason: "cross_origin" });
}

function isOurs(origin: string, request: Request): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.origin === new URL(env().PUBLIC_URL).origin || from.host === request.headers.get("host");
}
