import type { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { AppError } from "@/server/domain/errors";
import { outageOf } from "@/server/domain/outage";
import { MAX_BODY_BYTES, parseStrictJson } from "@/server/domain/strict-json";
import { contextOf, newRequestId } from "@/server/http/caller";
import { jsonBody } from "@/server/http/request-body";
import { errorFields, log } from "@/server/log";
import type { Context } from "@/server/trpc/context";
import { toTrpcError } from "@/server/trpc/init";
import { appRouter } from "@/server/trpc/root";

const ENDPOINT = "/api/trpc";

/** Answers every path under /api/trpc: one call a request, under the same rules as /api/v1. Never rejects. */
export async function handleTrpc(request: Request): Promise<Response> {
  const requestId = newRequestId();
  const prepared = await prepare(request, requestId);
  const response = await fetchRequestHandler({
    endpoint: ENDPOINT,
    router: appRouter,
    req: prepared.request,
    allowBatching: false,
    createContext: prepared.context,
    responseMeta: ({ errors }) => ({ headers: headersFor(errors, requestId) }),
    onError: ({ error, path }) => {
      if (isBug(error)) log.error({ requestId, path: path ?? null, ...errorFields(error.cause) }, "a call failed");
    },
  });
  return response;
}

const isBug = (error: TRPCError) => error.code === "INTERNAL_SERVER_ERROR" && !(error.cause instanceof AppError);

type Prepared = { readonly request: Request; readonly context: () => Promise<Context> };

/** What is wrong with a call before any procedure is reached is thrown where tRPC makes its own answer of it. */
async function prepare(request: Request, requestId: string): Promise<Prepared> {
  try {
    const context = await contextOf(request, requestId);
    return { request: await strictly(request), context: async () => context };
  } catch (error) {
    const expected = error instanceof AppError ? error : outageOf(error);
    const refusal = expected ? toTrpcError(expected) : error;
    const bare = new Request(request.url, { method: request.method, headers: { "content-type": "application/json" } });
    return { request: bare, context: () => Promise.reject(refusal) };
  }
}

/** The call with a body and an input that no two JSON readers understand differently. Throws AppError. */
async function strictly(request: Request): Promise<Request> {
  const input = new URL(request.url).searchParams.getAll("input");
  if (input.length > 1) throw new AppError("invalid", "input: is given twice", { field: "input" });
  for (const text of input) parseStrictJson(new TextEncoder().encode(text), { maxBytes: MAX_BODY_BYTES });
  if (request.method === "GET" || request.method === "HEAD") return request;
  const { bytes } = await jsonBody(request);
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: bytes.byteLength === 0 ? null : bytes });
}

function headersFor(errors: readonly TRPCError[], requestId: string): Record<string, string> {
  const [cause] = errors.map((error) => error.cause);
  const wait = cause instanceof AppError ? cause.details.retryAfterS : undefined;
  return {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    ...(wait === undefined ? {} : { "retry-after": String(wait) }),
  };
}
