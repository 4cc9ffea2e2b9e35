/** Headers of every answer, pages and calls alike. */
const ALWAYS: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};

const HSTS = "max-age=31536000; includeSubDomains";

/** For answers that no browser renders. */
export const CALL_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** For pages: scripts run only with the nonce, which Next reads from the request and puts on its own. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The headers to set on an answer of a deployment that people open at `publicUrl`. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return publicUrl.startsWith("https:") ? { ...ALWAYS, "strict-transport-security": HSTS } : ALWAYS;
}
