import { originOf } from "@/server/connectors/http/config";
import type { Answer, Hop } from "@/server/connectors/http/exchange";
import type { Trusts } from "@/server/domain/action";
import { type HttpAllowList, isReadMethod, refuseHttp } from "@/server/domain/actions/http-request";
import { parsePlainUrl } from "@/server/domain/plain-url";

export const MAX_REDIRECTS = 5;

export type Next =
  | { readonly kind: "none" }
  | { readonly kind: "refused" }
  | { readonly kind: "follow"; readonly hop: Hop };

const NONE: Next = { kind: "none" };
const REFUSED: Next = { kind: "refused" };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What is safe to repeat to a host that was not the one asked. */
const HARMLESS = new Set(["accept", "accept-language", "accept-encoding", "user-agent"]);

function absolute(location: string, base: string): string | null {
  if (!URL.canParse(location, base)) return null;
  const url = new URL(location, base);
  url.hash = "";
  return url.href;
}

const harmless = (headers: Hop["headers"]): Hop["headers"] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name.toLowerCase())));

/** A write is sent once, to the URL that was approved: what follows it can only be a read. */
const turnsIntoRead = (status: number, hop: Hop): boolean =>
  isReadMethod(hop.method) || status === 303 || (hop.method === "POST" && (status === 301 || status === 302));

/**
 * Where an answer leads. The next URL passes the grant's list as if it had been asked for; another host must also be
 * one that the organization trusts, since nobody approved it; encryption is never given up on the way.
 */
export function nextHop(answer: Answer, hop: Hop, rules: { allow: HttpAllowList; trusts: Trusts }): Next {
  const location = answer.headers.location;
  if (!REDIRECTS.has(answer.status) || location === undefined || !turnsIntoRead(answer.status, hop)) return NONE;
  const href = absolute(location, hop.url);
  const read = href === null ? null : parsePlainUrl(href);
  if (!read?.ok) return REFUSED;
  const isSameOrigin = originOf(hop.url) === originOf(read.url.href);
  const isDowngrade = hop.url.toLowerCase().startsWith("https:") && read.url.scheme === "http";
  if (isDowngrade || (!isSameOrigin && !rules.trusts(read.url.host))) return REFUSED;
  const next: Hop = {
    method: hop.method === "HEAD" ? "HEAD" : "GET",
    url: read.url.href,
    headers: isSameOrigin && isReadMethod(hop.method) ? hop.headers : harmless(hop.headers),
  };
  return refuseHttp(rules.allow, { method: next.method, url: next.url }) ? REFUSED : { kind: "follow", hop: next };
}
