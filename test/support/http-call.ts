import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { ConnectorCall } from "@/server/connectors/connector";
import { type HttpOverrides, performHttp } from "@/server/connectors/http/perform";
import { secretsIn } from "@/server/domain/credential";
import type { Outcome } from "@/server/domain/outcome";
import { createRedactor } from "@/server/vault/redactor";
import { open, type Running } from "@/test/support/echo";

export const credential = { kind: "header", name: "X-Api-Key", value: 'Token s3cr3t/+"key' } as const;
const ALL = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

export type Setup = Partial<ConnectorCall> & { readonly args: object; readonly servers?: readonly Running[] } & {
  overrides?: HttpOverrides;
};

/** A call that may reach the given servers, unless the test says otherwise. */
export async function run({ servers = open, overrides = {}, ...call }: Setup): Promise<Outcome> {
  const used = call.credential ?? null;
  return performHttp(
    {
      action: "http.request",
      config: { origins: servers.map((server) => server.origin) },
      credential: null,
      requestId: "req_1",
      allow: {
        methods: ALL,
        schemes: ["http", "https"],
        hosts: ["127.0.0.1", "localhost"],
        ports: servers.map((server) => server.port),
        pathPrefixes: ["/"],
        headers: ["x-note", "accept", "content-type"],
      },
      trusts: () => true,
      signal: new AbortController().signal,
      privateHosts: servers.map((server) => server.host),
      redactor: createRedactor(used ? secretsIn(used) : []),
      ...call,
    },
    overrides,
  );
}

export type Result = {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  url: string;
  truncated?: boolean;
  contentType: string;
  omitted?: { bytes: number; sha256: string | null };
};
export async function result(setup: Setup): Promise<Result> {
  const outcome = await run(setup);
  if (outcome.kind !== "succeeded") throw new Error(`${outcome.kind} ${outcome.code}`);
  return outcome.result as unknown as Result;
}
/** Answers every request the same. */
export const reply =
  (status: number, headers: Record<string, string>, body: string | Buffer = ""): RequestListener =>
  (_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(status, headers).end(body);
