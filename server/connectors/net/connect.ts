import type { LookupFunction } from "node:net";
import type { Address } from "@/server/connectors/net/resolve";

/** Whole milliseconds until a connection must stand. */
export const CONNECT_TIMEOUT_MS = 5_000;
/** Whole milliseconds for a call, redirects and reading included. */
export const TOTAL_TIMEOUT_MS = 30_000;

/** Answers every lookup with the addresses that were checked, so that a second answer of the name's cannot matter. */
export const pinnedLookup =
  (addresses: readonly [Address, ...Address[]]): LookupFunction =>
  (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses]);
    else callback(null, addresses[0].address, addresses[0].family);
  };

/** A code such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`, with those of its causes and parts; never a message. */
function errorCodes(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code, originalCode, name } = error as { code?: unknown; originalCode?: unknown; name: string };
  const own = [code ?? name, originalCode].filter((part) => typeof part === "string");
  const parts = error instanceof AggregateError ? error.errors.slice(0, 8) : [];
  return [...own, ...parts.flatMap(errorCodes), ...(error.cause === undefined ? [] : errorCodes(error.cause))];
}

/** Whether a connection failed over certificates or protocol versions. */
export const isTlsError = (error: unknown): boolean =>
  errorCodes(error).some((code) => /CERT|TLS|SSL|SIGNED|UNABLE_TO|EPROTO|ALTNAME/.test(code));
