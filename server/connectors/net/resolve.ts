import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { addressKind } from "@/server/connectors/net/address";
import { stopCode } from "@/server/connectors/net/stop-code";

export type Address = { readonly address: string; readonly family: number };
export type Resolver = (hostname: string) => Promise<readonly Address[]>;

export type Resolved =
  | { readonly ok: true; readonly addresses: readonly [Address, ...Address[]] }
  | {
      readonly ok: false;
      readonly code: "address_refused" | "name_not_found" | "name_lookup_failed" | "aborted" | "timeout";
    };

type Target = { readonly hostname: string; readonly port: number };

const MAX_ADDRESSES = 32;

const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true, verbatim: true });

/** Whether the operator named exactly this host, or this host and port, as one that may be private. */
export function isNamedByOperator(privateHosts: readonly string[], { hostname, port }: Target): boolean {
  const wanted = hostname.toLowerCase();
  return privateHosts.some((entry) => {
    const named = entry.toLowerCase();
    return named === wanted || named === `${wanted}:${port}`;
  });
}

async function addressesOf(hostname: string, resolver: Resolver, signal: AbortSignal): Promise<readonly Address[]> {
  signal.throwIfAborted();
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(bare);
  if (family !== 0) return [{ address: bare, family }];
  // The platform's lookup cannot be stopped, so it is left behind when time is up.
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    resolver(hostname)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

const isNotFound = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENOTFOUND" || error.code === "ENODATA");

/**
 * Looks a name up once and refuses it if any of its addresses may not be reached: a name with one good and one bad
 * address is how rebinding begins. What is returned is what is connected to.
 */
export async function resolveTarget(
  target: Target,
  options: {
    readonly privateHosts: readonly string[];
    readonly signal: AbortSignal;
    readonly resolver?: Resolver | undefined;
  },
): Promise<Resolved> {
  let found: readonly Address[];
  try {
    found = await addressesOf(target.hostname, options.resolver ?? systemResolver, options.signal);
  } catch (error) {
    if (options.signal.aborted) return { ok: false, code: stopCode(options.signal) };
    return { ok: false, code: isNotFound(error) ? "name_not_found" : "name_lookup_failed" };
  }
  const [first, ...rest] = found.slice(0, MAX_ADDRESSES);
  if (!first) return { ok: false, code: "name_not_found" };
  const mayBePrivate = isNamedByOperator(options.privateHosts, target);
  const isFine = ({ address }: Address) => {
    const kind = addressKind(address);
    return kind === "public" || (kind === "private" && mayBePrivate);
  };
  return found.every(isFine) ? { ok: true, addresses: [first, ...rest] } : { ok: false, code: "address_refused" };
}
