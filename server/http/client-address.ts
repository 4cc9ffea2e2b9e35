import { randomBytes } from "node:crypto";
import { BlockList, isIP } from "node:net";

const HEADER = "x-countersign-client";
const MAX_HOPS = 20;

const shared = globalThis as { countersignAddressMark?: string };

/** Marks addresses that our own server wrote, so that a caller of a bare route mount cannot write one. */
const mark = (): string => {
  shared.countersignAddressMark ??= randomBytes(16).toString("hex");
  return shared.countersignAddressMark;
};

const plain = (address: string) => address.replace(/^::ffff:(?=[0-9.]+$)/i, "");

/** The proxies of TRUSTED_PROXIES, addresses and CIDR ranges, ready to be asked. */
export function trustedProxies(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

type Hop = { readonly peer: string; readonly forwardedFor: string | undefined; readonly trusted: BlockList };

/**
 * The caller's address: the nearest hop that is not a trusted proxy, read from the right of X-Forwarded-For.
 * What lies left of it is the caller's own claim and is not looked at.
 */
export function clientAddress({ peer, forwardedFor, trusted }: Hop): string {
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  const hops = (forwardedFor ?? "").split(",").map((hop) => plain(hop.trim()));
  let nearest = plain(peer);
  for (const hop of hops.reverse().slice(0, MAX_HOPS)) {
    if (!isTrusted(nearest) || isIP(hop) === 0) break;
    nearest = hop;
  }
  return nearest;
}

type MutableHeaders = Record<string, string | string[] | undefined>;

/** Writes the address for `addressOf`, over whatever the caller sent under that name. */
export function stampAddress(headers: MutableHeaders, address: string): void {
  headers[HEADER] = `${mark()} ${address}`;
}

/** Vercel's edge writes this header itself, over whatever the caller sent. */
const PLATFORM_HEADER = "x-vercel-forwarded-for";

/**
 * The caller's address as our server stamped it. Where a handler is mounted without our server, the platform's word
 * for it; empty where there is none.
 */
export function addressOf(headers: Headers): string {
  const [given, address] = (headers.get(HEADER) ?? "").split(" ");
  if (given === mark() && address !== undefined) return address;
  const [platform = ""] = (headers.get(PLATFORM_HEADER) ?? "").split(",");
  return isIP(platform.trim()) === 0 ? "" : plain(platform.trim());
}
