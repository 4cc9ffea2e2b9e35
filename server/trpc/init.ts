import { initTRPC, TRPCError, type TRPCMutationProcedure, type TRPCQueryProcedure } from "@trpc/server";
import type { TRPC_ERROR_CODE_KEY } from "@trpc/server/rpc";
import type { z } from "zod";
import type { Actor } from "@/server/domain/actor";
import { AppError, type AppErrorCode } from "@/server/domain/errors";
import { outageOf } from "@/server/domain/outage";
import { toWire, type Wire } from "@/server/domain/wire";
import type { Context } from "@/server/trpc/context";
import type { CommandFacts, HttpMeta, HttpMethod, ProcedureMeta } from "@/server/trpc/meta";

/** Exhaustive by type: a new code does not compile until it has its place here. */
const TRPC_CODES: Record<AppErrorCode, TRPC_ERROR_CODE_KEY> = {
  invalid: "UNPROCESSABLE_CONTENT",
  unauthenticated: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  refused: "FORBIDDEN",
  rate_limited: "TOO_MANY_REQUESTS",
  too_large: "PAYLOAD_TOO_LARGE",
  unavailable: "SERVICE_UNAVAILABLE",
};

/** An expected failure as tRPC's own error; its cause stays the AppError. */
export function toTrpcError(error: AppError): TRPCError {
  return new TRPCError({ code: TRPC_CODES[error.code], message: error.message, cause: error });
}

const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    // What the caller may know: the public message, the stable code and its details. Of a bug, the request's id alone.
    errorFormatter: ({ shape, error, ctx }) => {
      const cause = error.cause instanceof AppError ? error.cause : undefined;
      const isBug = cause === undefined && error.code === "INTERNAL_SERVER_ERROR";
      return {
        ...shape,
        message: isBug ? "internal error" : error.message,
        data: {
          code: shape.data.code,
          httpStatus: shape.data.httpStatus,
          reason: cause?.reason ?? error.code.toLowerCase(),
          ...(cause?.details.field === undefined ? {} : { field: cause.details.field }),
          ...(cause?.details.retryAfterS === undefined ? {} : { retryAfterS: cause.details.retryAfterS }),
          ...(cause?.details.extra === undefined ? {} : { extra: cause.details.extra }),
          ...(ctx === undefined ? {} : { requestId: ctx.requestId }),
        },
      };
    },
  });

const procedure = t.procedure
  .use(async ({ next }) => {
    const result = await next();
    if (result.ok) return result;
    const { cause } = result.error;
    const expected = cause instanceof AppError ? cause : outageOf(cause);
    if (expected === null) return result;
    throw toTrpcError(expected);
  })
  .use(({ ctx, next }) => {
    if (ctx.actor === null) throw new AppError("unauthenticated", "Present a credential.");
    return next({ ctx: { actor: ctx.actor } });
  });

type Command<I extends z.ZodType, R> = CommandFacts & { readonly input: I } & ((
    actor: Actor,
    raw: z.input<I>,
  ) => Promise<R>);
type Definition<I extends z.ZodType, R> = { meta: ProcedureMeta; input: z.input<I>; output: Wire<R> };

/**
 * The procedure of a command: a query for GET, a mutation otherwise. The command itself checks caller, permission
 * and schema, in this order; nothing else can become a procedure.
 */
export function procedureOf<I extends z.ZodType, R>(
  command: Command<I, R>,
  http: HttpMeta<"GET", Wire<R>>,
): TRPCQueryProcedure<Definition<I, R>>;
export function procedureOf<I extends z.ZodType, R>(
  command: Command<I, R>,
  http: HttpMeta<Exclude<HttpMethod, "GET">, Wire<R>>,
): TRPCMutationProcedure<Definition<I, R>>;
export function procedureOf<I extends z.ZodType, R>(
  command: Command<I, R>,
  http: HttpMeta<HttpMethod, Wire<R>>,
): unknown {
  const built = procedure.meta({ http, command }).input((raw: unknown) => raw as z.input<I>);
  const resolve = async ({ ctx, input }: { ctx: { actor: Actor }; input: z.input<I> }) => {
    if (http.isDownload)
      throw new AppError("invalid", "This is a download: get it over HTTP.", { reason: "http_only" });
    return toWire(await command(ctx.actor, input));
  };
  return http.method === "GET" ? built.query(resolve as never) : built.mutation(resolve as never);
}

export const router = t.router;
