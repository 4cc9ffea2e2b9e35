import { type NextRequest, NextResponse } from "next/server";
import { contentSecurityPolicy } from "@/app/_lib/content-security-policy";

// biome-ignore lint/style/noProcessEnv: the bundler replaces it; it says which build this is, not how it is configured.
const isDev = process.env.NODE_ENV === "development";

/** Gives every page its own nonce. A nonce that a caller sends is overwritten, never used. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = contentSecurityPolicy({ nonce, dev: isDev });
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  headers.set("x-path", request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  response.headers.set("cross-origin-opener-policy", "same-origin");
  response.headers.set("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()");
  // `no-referrer` would make browsers send `Origin: null` with our own forms.
  response.headers.set("referrer-policy", "same-origin");
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

export const config = {
  matcher: ["/((?!_next/static/|api/|icon\\.svg|manifest\\.webmanifest|sw\\.js).*)"],
};
