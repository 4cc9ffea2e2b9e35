import type { ArgumentRule } from "@/server/domain/actions/rules";

/**
 * Headers that no agent sets: those that frame the message, carry credentials or say where a call came from, those
 * that would hide the body from the secret scan, and those by which a server takes a GET for another method.
 */
const FORBIDDEN = new Set([
  "authorization",
  "connection",
  "content-encoding",
  "content-length",
  "cookie",
  "cookie2",
  "expect",
  "forwarded",
  "host",
  "http2-settings",
  "keep-alive",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
  "x-original-url",
  "x-real-ip",
  "x-rewrite-url",
]);
const FORBIDDEN_PREFIX = /^(proxy-|sec-)/;

const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/i;
/** Printable ASCII, inner spaces and tabs only: no line break, no NUL, nothing that depends on an encoding. */
const VALUE = /^$|^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/;

export const isHeaderName = (name: string): boolean => NAME.test(name);

const isForbidden = (name: string): boolean => {
  // Some servers read `_` as `-` once a header has become a variable.
  const plain = name.toLowerCase().replaceAll("_", "-");
  return FORBIDDEN.has(plain) || FORBIDDEN_PREFIX.test(plain);
};

/** What is wrong with a header that an agent wants to send, or null. */
export function headerRule(name: string, value: string): ArgumentRule | null {
  if (!isHeaderName(name)) return "header_name";
  if (isForbidden(name)) return "header_forbidden";
  return VALUE.test(value) ? null : "header_value";
}

/** A value as a header can carry it. */
export const isHeaderValue = (value: string): boolean => VALUE.test(value);
