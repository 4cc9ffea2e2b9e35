import { z } from "zod";
import { defineAction, type Refusal, type Trusts } from "@/server/domain/action";
import { httpAmount } from "@/server/domain/actions/http-amount";
import { headerRule, isHeaderName } from "@/server/domain/actions/http-headers";
import type { ArgumentRule } from "@/server/domain/actions/rules";
import { NO_AMOUNT } from "@/server/domain/amounts";
import {
  hostPatternSchema,
  isHostUnder,
  isPathUnder,
  type PlainUrl,
  parsePlainUrl,
  pathPrefixSchema,
} from "@/server/domain/plain-url";

const HTTP_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];
const methodSchema = z.enum(HTTP_METHODS);

/** UTF-8 bytes of a request body. */
export const MAX_HTTP_BODY_BYTES = 262_144;
const MAX_DEPTH = 32;

export const isReadMethod = (method: HttpMethod): boolean => method === "GET" || method === "HEAD";

const urlSchema = z
  .string()
  .max(2_048)
  .superRefine((raw, context) => {
    const read = parsePlainUrl(raw);
    if (!read.ok) context.addIssue({ code: "custom", message: read.rule, params: { rule: read.rule } });
  });

const headersSchema = z.record(z.string().max(100), z.string().max(4_096)).superRefine((headers, context) => {
  const names = Object.keys(headers);
  const add = (rule: ArgumentRule, path: string[]) =>
    context.addIssue({ code: "custom", message: rule, params: { rule }, path });
  if (names.length > 50) add("too_big", []);
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) add("header_duplicate", []);
  for (const name of names) {
    const rule = headerRule(name, headers[name] ?? "");
    if (rule) add(rule, [name]);
  }
});

type Body = string | Record<string, unknown> | unknown[];

/** The text that is sent: a string as it stands, anything else as JSON. */
export const bodyText = (body: Body): string => (typeof body === "string" ? body : JSON.stringify(body));

/** Walks without recursion: a body of brackets must not exhaust the stack. */
function isDeeperThan(body: Body, limit: number): boolean {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((value) => (value !== null && typeof value === "object" ? Object.values(value) : []));
  }
  return false;
}

function bodyFault(body: Body): ArgumentRule | null {
  if (isDeeperThan(body, MAX_DEPTH)) return "too_deep";
  const text = bodyText(body);
  if (!text.isWellFormed()) return "text_malformed";
  return new TextEncoder().encode(text).byteLength > MAX_HTTP_BODY_BYTES ? "too_big" : null;
}

const bodySchema = z
  .union([z.string().max(MAX_HTTP_BODY_BYTES), z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .superRefine((body, context) => {
    const rule = bodyFault(body);
    if (rule) context.addIssue({ code: "custom", message: rule, params: { rule } });
  });

export const httpRequestSchema = z
  .strictObject({
    method: methodSchema,
    url: urlSchema,
    headers: headersSchema.optional(),
    body: bodySchema.optional(),
  })
  .superRefine((args, context) => {
    if (args.body === undefined || !isReadMethod(args.method)) return;
    context.addIssue({ code: "custom", message: "body", params: { rule: "body_without_effect" }, path: ["body"] });
  });
export type HttpRequestArgs = z.infer<typeof httpRequestSchema>;

/** What a grant lets `http.request` reach. Each list must hold something, `headers` only if any are sent. */
export const httpAllowListSchema = z.strictObject({
  methods: z.array(methodSchema).max(HTTP_METHODS.length).default([]),
  schemes: z
    .array(z.enum(["http", "https"]))
    .max(2)
    .default([]),
  hosts: z.array(hostPatternSchema).max(200).default([]),
  ports: z.array(z.int().min(1).max(65_535)).max(50).default([]),
  pathPrefixes: z.array(pathPrefixSchema).max(200).default([]),
  headers: z.array(z.string().max(100).refine(isHeaderName, "must be a header name")).max(50).default([]),
});
export type HttpAllowList = z.infer<typeof httpAllowListSchema>;

/** The parsed URL of valid arguments. Throws on a URL that no schema let through. */
export function urlOf(raw: string): PlainUrl {
  const read = parsePlainUrl(raw);
  if (!read.ok) throw new Error(`URL was not validated: ${read.rule}`);
  return read.url;
}

function urlRefusal(allow: HttpAllowList, url: PlainUrl): ArgumentRule | null {
  if (!allow.schemes.includes(url.scheme)) return "scheme_not_allowed";
  if (!allow.hosts.some((pattern) => isHostUnder(pattern, url.hostname))) return "host_not_allowed";
  if (!allow.ports.includes(url.port)) return "port_not_allowed";
  return allow.pathPrefixes.some((prefix) => isPathUnder(prefix, url.path)) ? null : "path_not_allowed";
}

/** What the list refuses of a call, or of the next hop of a redirect. */
export function refuseHttp(
  allow: HttpAllowList,
  args: Pick<HttpRequestArgs, "method" | "url" | "headers">,
): Refusal | null {
  if (!allow.methods.includes(args.method)) return { field: "method", rule: "method_not_allowed" };
  const rule = urlRefusal(allow, urlOf(args.url));
  if (rule) return { field: "url", rule };
  const allowed = new Set(allow.headers.map((name) => name.toLowerCase()));
  const header = Object.keys(args.headers ?? {}).find((name) => !allowed.has(name.toLowerCase()));
  return header === undefined ? null : { field: `headers.${header}`, rule: "header_not_allowed" };
}

export const httpRequest = defineAction({
  name: "http.request",
  provider: "http",
  summary: "Calls an HTTP service that the grant lists.",
  capability: "http",
  revision: 1,
  risk: "low",
  undo: null,
  price: null,
  honoursIdempotencyKey: false,
  input: httpRequestSchema,
  allowList: httpAllowListSchema,
  effect: (args) => (isReadMethod(args.method) ? "read" : "write"),
  irreversible: (args) => !isReadMethod(args.method),
  outward: (args, trusts: Trusts) => !trusts(urlOf(args.url).host),
  targets: (args) => [urlOf(args.url).host],
  refuse: refuseHttp,
  amount: (args) =>
    isReadMethod(args.method) ? NO_AMOUNT : httpAmount({ query: new URL(args.url).search, body: args.body }),
  categories: (args) => (args.method === "DELETE" ? ["deletion"] : []),
  headline: (args) => `${args.method} ${urlOf(args.url).host}${urlOf(args.url).path}`,
});
