import ipaddr from "ipaddr.js";

/**
 * `public` may be reached by anyone, `private` only where the operator named the host, `never` by nobody: link-local
 * and metadata addresses, and every form that carries another address inside.
 */
export type AddressKind = "public" | "private" | "never";

const PRIVATE_RANGES = new Set<string>(["loopback", "private", "carrierGradeNat", "uniqueLocal"]);

/** Metadata and platform services of clouds that lie outside the link-local range. */
const PLATFORM = ["168.63.129.16/32", "100.100.100.200/32", "fd00:ec2::/32", "fd20:ce::/32"].map((range) =>
  ipaddr.parseCIDR(range),
);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

const isPlatform = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  PLATFORM.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));

/** ISATAP interface ids, which carry an IPv4 address in their last 32 bits. */
const isIsatap = (address: ipaddr.IPv6): boolean => {
  const [, , , , fifth = 0, sixth = 0] = address.parts;
  return (fifth & 0xfdff) === 0 && sixth === 0x5efe;
};

function kindOfV6(address: ipaddr.IPv6): AddressKind {
  const range = address.range();
  if (PRIVATE_RANGES.has(range)) return "private";
  return range === "unicast" && address.match(GLOBAL_UNICAST) && !isIsatap(address) ? "public" : "never";
}

/** What kind an address is, written as resolvers write it: dotted decimal, or IPv6 without brackets or zone. */
export function addressKind(text: string): AddressKind {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    const address = ipaddr.IPv4.parse(text);
    if (isPlatform(address)) return "never";
    const range = address.range();
    if (range === "unicast") return "public";
    return PRIVATE_RANGES.has(range) ? "private" : "never";
  }
  if (text.includes("%") || !ipaddr.IPv6.isValid(text)) return "never";
  const address = ipaddr.IPv6.parse(text);
  return isPlatform(address) ? "never" : kindOfV6(address);
}
