import { z } from "zod";
import type { ArgumentRule } from "@/server/domain/actions/rules";
import { isNarrowSuffix } from "@/server/domain/mail-address";

/** A URL about which every reader agrees. `href` is what is sent. */
export type PlainUrl = {
  readonly href: string;
  readonly scheme: "http" | "https";
  /** Lower case, without port; IPv6 in brackets. */
  readonly hostname: string;
  /** `hostname`, with the port unless it is the scheme's own. */
  readonly host: string;
  readonly port: number;
  /** Never empty, no dot segments, nothing encoded that could be a separator. */
  readonly path: string;
};

export type PlainUrlResult =
  | { readonly ok: true; readonly url: PlainUrl }
  | { readonly ok: false; readonly rule: ArgumentRule };

const DEFAULT_PORTS = { http: 80, https: 443 } as const;
const SHAPE = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?$/i;
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?$/i;
/** `%2f`, `%5c`, `%2e`, and the same encoded once more, for servers that decode twice. */
const ENCODED_SEPARATOR = /%(25)*(2f|5c|2e)/i;
/** Also `..;`, which some servers strip to `..`. */
const DOT_SEGMENT = /\/\.{1,2}(?=[/;]|$)/;

function textFault(raw: string): ArgumentRule | null {
  if (raw.includes("\\")) return "url_backslash";
  if (/[^\x21-\x7e]/.test(raw)) return "url_malformed";
  if (raw.includes("#")) return "url_fragment";
  return null;
}

function pathFault(path: string): ArgumentRule | null {
  if (/%(?![0-9a-f]{2})/i.test(path) || /%(25)*00/.test(path)) return "url_malformed";
  if (ENCODED_SEPARATOR.test(path)) return "url_encoded_separator";
  return DOT_SEGMENT.test(path) ? "url_dot_segments" : null;
}

/** The URL as the platform reads it, if it names the same host as the text does. */
function agreed(raw: string, hostname: string): URL | null {
  if (!URL.canParse(raw)) return null;
  const url = new URL(raw);
  return url.hostname === hostname.toLowerCase() && !hostname.endsWith(".") ? url : null;
}

/**
 * Reads an absolute http(s) URL and refuses whatever readers of URLs disagree about: user names, backslashes,
 * hosts in octal, hexadecimal or full-width digits, dot segments, encoded separators, fragments.
 */
export function parsePlainUrl(raw: string): PlainUrlResult {
  const fault = textFault(raw);
  if (fault) return { ok: false, rule: fault };
  const [, schemeText = "", authority = "", path = ""] = SHAPE.exec(raw) ?? [];
  if (!schemeText || !authority) return { ok: false, rule: "url_malformed" };
  if (authority.includes("@")) return { ok: false, rule: "url_userinfo" };
  const [, hostname = ""] = AUTHORITY.exec(authority) ?? [];
  const url = hostname ? agreed(raw, hostname) : null;
  if (!url) return { ok: false, rule: "url_host_not_plain" };
  const wrongPath = pathFault(path);
  if (wrongPath) return { ok: false, rule: wrongPath };
  const scheme = schemeText.toLowerCase() === "https" ? "https" : "http";
  const port = url.port === "" ? DEFAULT_PORTS[scheme] : Number(url.port);
  return {
    ok: true,
    url: { href: url.href, scheme, hostname: url.hostname, host: url.host, port, path: url.pathname },
  };
}

const isPlainHost = (text: string): boolean => {
  const read = parsePlainUrl(`https://${text}/`);
  return read.ok && !text.includes("/") && !text.includes("?");
};

/** `api.example.com`, `127.0.0.1:3101`, `[2001:db8::1]:8443`. */
export const plainHostSchema = z
  .string()
  .max(260)
  .refine(isPlainHost, "must be a host, with its port if it has one of its own");

/** An exact host name without port, or `*.suffix` for everything under the suffix but not the suffix itself. */
export const hostPatternSchema = z
  .string()
  .max(255)
  .refine(
    (text) => (text.startsWith("*.") ? isNarrowSuffix(text.slice(2)) : isPlainHost(text) && !/:[0-9]+$/.test(text)),
    "must be a host such as api.example.com, or *.example.com for everything under it",
  );

export function isHostUnder(pattern: string, hostname: string): boolean {
  const wanted = pattern.toLowerCase();
  return wanted.startsWith("*.")
    ? hostname.endsWith(wanted.slice(1)) && hostname.length > wanted.length - 1
    : hostname === wanted;
}

/** Whether `path` is `prefix` or lies under it: `/v1` covers `/v1` and `/v1/x`, not `/v10`. */
export function isPathUnder(prefix: string, path: string): boolean {
  if (prefix.endsWith("/")) return path.startsWith(prefix);
  return path === prefix || path.startsWith(`${prefix}/`);
}

export const pathPrefixSchema = z
  .string()
  .max(1_000)
  .refine((text) => text.startsWith("/") && !/[^\x21-\x7e]|[\\?#]/.test(text) && pathFault(text) === null, {
    message: "must be a path such as /v1/orders, without dot segments or encoded separators",
  });
