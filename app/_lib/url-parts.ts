import { domainToUnicode } from "node:url";
import { parse } from "tldts";

export type UrlParts = {
  scheme: string;
  /** What stands before `@`: often dressed up as a host. */
  user: string;
  subdomain: string;
  /** The part that somebody registered, or the whole host where there is none. */
  site: string;
  isAddress: boolean;
  port: string;
  /** With escapes read, but for those that would change the structure. */
  path: string;
  query: readonly (readonly [name: string, value: string])[];
  fragment: string;
  /** How the host displays, where it is written in Punycode. */
  displayHost?: string;
  /** The address as it will be used, where that is not what was written. */
  normalized?: string;
};

/** Takes an address apart the way the connector will read it; undefined where it is no valid address. */
export function urlParts(text: string): UrlParts | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const host = parse(url.hostname, { allowPrivateDomains: true });
  const site = host.domain ?? url.hostname;
  const display = domainToUnicode(url.hostname);
  return {
    scheme: url.protocol.slice(0, -1),
    user: [url.username, url.password]
      .filter((part) => part !== "")
      .map(decode)
      .join(":"),
    subdomain: url.hostname.slice(0, url.hostname.length - site.length),
    site,
    isAddress: host.isIp === true,
    port: url.port,
    path: url.pathname.split("/").map(decodeSegment).join("/"),
    query: [...url.searchParams],
    fragment: decode(url.hash.slice(1)),
    ...(display !== "" && display !== url.hostname ? { displayHost: display } : {}),
    ...(url.href === text || url.href === `${text}/` ? {} : { normalized: url.href }),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A slash or a percent sign that was escaped stays escaped: read, it would look like structure. */
function decodeSegment(segment: string): string {
  return decode(segment).replace(/[%/?#\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
