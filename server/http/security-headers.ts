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

/** For answers that no browser renders. Pages get theirs, with a nonce, from `proxy.ts`. */
export const CALL_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** The headers to set on an answer of a deployment that people open at `publicUrl`. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return publicUrl.startsWith("https:") ? { ...ALWAYS, "strict-transport-security": HSTS } : ALWAYS;
}
