import { getDomain } from "tldts";
import type { JsonValue } from "@/server/domain/json";
import { visibleLine } from "@/slack/card/visible-text";

const ADDRESSES = /\bhttps?:\/\/[^\s"'<>\\]{1,500}|[^\s"'<>,;:@\\]{1,100}@[^\s"'<>,;:@\\/]{1,255}/giu;

function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === "string") yield value;
  else if (value !== null && typeof value === "object") for (const part of Object.values(value)) yield* textsIn(part);
}

/** In punycode; null where it is no host at all. */
function hostOf(address: string): string | null {
  const url = /^https?:/i.test(address) ? address : `http://${address.slice(address.lastIndexOf("@") + 1)}`;
  return URL.canParse(url) ? new URL(url).hostname || null : null;
}

function lineOf(host: string): string {
  const domain = getDomain(host, { allowPrivateDomains: true });
  return visibleLine(domain === null || domain === host ? host : `${host}, under ${domain}`);
}

/** Every host that the arguments name, in punycode, with the domain that somebody registered. */
export function hostsIn(value: JsonValue): string[] {
  const hosts = new Set<string>();
  for (const text of textsIn(value)) {
    for (const [address] of text.matchAll(ADDRESSES)) {
      const host = hostOf(address);
      if (host !== null) hosts.add(host);
    }
  }
  return [...hosts].map(lineOf);
}
