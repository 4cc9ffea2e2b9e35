/**
 * Base UI's visually hidden form inputs carry one of two fixed style attributes; these are their hashes. A test
 * recomputes them from the installed package.
 */
export const HIDDEN_INPUT_STYLE_HASHES = [
  "sha256-qEKUM5Nf3NMojcHSmLZ+c8ntxh6x/5XWh7iOAHlGAkI=",
  "sha256-5F9GrKBhqyaNOeYUtJnXqF6zx18El+yIK5QJdjPDOus=",
] as const;

/** The policy of every page. Only scripts that carry this response's nonce run, and none can be made from text. */
export function contentSecurityPolicy({ nonce, dev }: { nonce: string; dev: boolean }): string {
  const styleHashes = HIDDEN_INPUT_STYLE_HASHES.map((hash) => `'${hash}'`).join(" ");
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    `style-src 'self' 'nonce-${nonce}'`,
    `style-src-attr 'unsafe-hashes' ${styleHashes}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types nextjs default",
  ].join("; ");
}

/**
 * Turbopack sets script addresses as plain strings, which trusted types refuse. This default policy passes exactly the
 * two kinds of script that the app loads, and throws on any other.
 */
export const TRUSTED_TYPES_SCRIPT = [
  "if(self.trustedTypes)trustedTypes.createPolicy('default',{createScriptURL:function(address){",
  "var url=new URL(address,location.origin);",
  "if(url.origin===location.origin&&(url.pathname.startsWith('/_next/static/')||url.pathname==='/sw.js'))return address;",
  "throw new TypeError('Script address refused')}});",
].join("");
