import type { ConnectorCall, Provider } from "@/server/connectors/connector";
import { type FailureCode, failed, outcomeUnknown } from "@/server/connectors/failures";
import { type HttpConfig, httpConfigSchema, isCredentialed, originOf } from "@/server/connectors/http/config";
import { type Answer, type Exchange, exchange, type Hop, type Wire } from "@/server/connectors/http/exchange";
import { MAX_REDIRECTS, nextHop } from "@/server/connectors/http/redirect";
import { TOTAL_TIMEOUT_MS } from "@/server/connectors/net/connect";
import { isNamedByOperator } from "@/server/connectors/net/resolve";
import {
  bodyText,
  type HttpAllowList,
  type HttpRequestArgs,
  httpAllowListSchema,
  httpRequestSchema,
  isReadMethod,
  urlOf,
} from "@/server/domain/actions/http-request";
import type { StoredCredential } from "@/server/domain/credential";
import type { Outcome } from "@/server/domain/outcome";

type HeaderCredential = Extract<StoredCredential, { kind: "header" }>;

type Prepared = {
  readonly hop: Hop;
  readonly allow: HttpAllowList;
  readonly credential: HeaderCredential | null;
  readonly call: ConnectorCall;
  readonly wire: Wire;
};

/** What tests replace: how names resolve and whom TLS trusts. */
export type HttpOverrides = Pick<Wire, "resolver" | "ca"> & { readonly totalMs?: number };

export const httpProvider: Provider = {
  name: "http",
  capabilities: ["http"],
  config: httpConfigSchema,
  credentialKinds: ["header"],
  account: (config) => httpConfigSchema.parse(config).origins.join(" "),
  perform: (call) => performHttp(call),
};

/** Performs `http.request`. Any answer of the other side is a success, whatever its status. */
export async function performHttp(call: ConnectorCall, overrides: HttpOverrides = {}): Promise<Outcome> {
  const args = httpRequestSchema.safeParse(call.args);
  const config = httpConfigSchema.safeParse(call.config);
  if (!args.success) return failed("arguments_invalid");
  if (!config.success) return failed("connection_malformed");
  const credential = credentialFor(call, config.data, args.data);
  if (typeof credential === "string") return failed(credential);
  const { totalMs = TOTAL_TIMEOUT_MS, ...wire } = overrides;
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(totalMs)]);
  const prepared: Prepared = {
    hop: hopOf(args.data),
    allow: httpAllowListSchema.parse(call.allow ?? {}),
    credential,
    call,
    wire: { ...wire, signal, privateHosts: call.privateHosts, redactor: call.redactor },
  };
  return isReadMethod(args.data.method) ? read(prepared) : write(prepared);
}

/** The credential if this URL is to get it, or why the call cannot be made. */
function credentialFor(
  call: ConnectorCall,
  config: HttpConfig,
  args: HttpRequestArgs,
): HeaderCredential | null | FailureCode {
  const { credential } = call;
  if (credential === null || !isCredentialed(config, args.url)) return null;
  if (credential.kind !== "header") return "credential_malformed";
  const url = urlOf(args.url);
  if (url.scheme === "http" && !isNamedByOperator(call.privateHosts, url)) return "cleartext_refused";
  const names = Object.keys(args.headers ?? {}).map((name) => name.toLowerCase());
  return names.includes(credential.name.toLowerCase()) ? "header_reserved" : credential;
}

const DEFAULT_HEADERS = { accept: "*/*", "accept-encoding": "identity", "user-agent": "countersign" };

function hopOf(args: HttpRequestArgs): Hop {
  const own = Object.fromEntries(
    Object.entries(args.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const type = typeof args.body === "string" ? "text/plain; charset=utf-8" : "application/json";
  const defaults = args.body === undefined ? DEFAULT_HEADERS : { ...DEFAULT_HEADERS, "content-type": type };
  return {
    method: args.method,
    url: urlOf(args.url).href,
    headers: { ...defaults, ...own },
    ...(args.body === undefined ? {} : { body: bodyText(args.body) }),
  };
}

/** One exchange. The credential goes to the origin that was asked for and to no other, whatever redirects say. */
function send({ hop: first, credential, wire }: Prepared, hop: Hop): Promise<Exchange> {
  if (credential === null || originOf(hop.url) !== originOf(first.url)) return exchange(hop, wire);
  return exchange({ ...hop, headers: { ...hop.headers, [credential.name.toLowerCase()]: credential.value } }, wire);
}

type Followed =
  | { readonly ok: true; readonly answer: Answer; readonly url: string }
  | { readonly ok: false; readonly code: FailureCode };

/** Follows where an answer leads, reading only. */
async function follow(prepared: Prepared, from: Hop, answer: Answer): Promise<Followed> {
  const rules = { allow: prepared.allow, trusts: prepared.call.trusts };
  let here = { hop: from, answer };
  for (let turn = 0; turn <= MAX_REDIRECTS; turn++) {
    const next = nextHop(here.answer, here.hop, rules);
    if (next.kind === "none") return { ok: true, answer: here.answer, url: here.hop.url };
    if (next.kind === "refused") return { ok: false, code: "redirect_refused" };
    if (turn === MAX_REDIRECTS) break;
    const result = await send(prepared, next.hop);
    if (!result.ok) return result;
    here = { hop: next.hop, answer: result.answer };
  }
  return { ok: false, code: "too_many_redirects" };
}

async function read(prepared: Prepared): Promise<Outcome> {
  const first = await send(prepared, prepared.hop);
  if (!first.ok) return failed(first.code);
  const end = await follow(prepared, prepared.hop, first.answer);
  return end.ok ? succeeded(prepared, end.answer, end.url) : failed(end.code);
}

/** The write has been answered once its own answer is there: what goes wrong after that does not undo it. */
async function write(prepared: Prepared): Promise<Outcome> {
  const first = await send(prepared, prepared.hop);
  if (!first.ok) return first.mayHaveReached ? outcomeUnknown(first.code) : failed(first.code);
  const end = await follow(prepared, prepared.hop, first.answer);
  return end.ok ? succeeded(prepared, end.answer, end.url) : succeeded(prepared, first.answer, prepared.hop.url);
}

/** Response headers that an agent may see. Cookies and challenges are not among them. */
const SHOWN_HEADERS =
  /^(content-(type|length|language|disposition)|date|etag|last-modified|location|link|retry-after|cache-control|allow|x-request-id|(x-)?ratelimit-[a-z-]+)$/;
const MAX_HEADER = 1_000;

function succeeded({ call }: Prepared, { status, headers, contentType, body }: Answer, url: string): Outcome {
  const shown = Object.entries(headers).flatMap(([name, value]) =>
    // Masked before it is cut: half a secret would no longer be recognised.
    SHOWN_HEADERS.test(name) ? [[name, call.redactor.text(value).slice(0, MAX_HEADER)] as const] : [],
  );
  return {
    kind: "succeeded",
    result: {
      status,
      url,
      headers: Object.fromEntries(shown),
      contentType,
      body: body.text,
      ...(body.isTruncated ? { truncated: true } : {}),
      ...(body.text === null ? { omitted: { bytes: body.bytes, sha256: body.sha256 } } : {}),
    },
  };
}
