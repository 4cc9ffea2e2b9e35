import type { z } from "zod";
import type { Actor } from "@/server/domain/actor";
import type { Permission } from "@/server/domain/permission";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Where a procedure lives under /api/v1. The route, the reference page and OpenAPI are made from it. */
export type HttpMeta<Method extends HttpMethod = HttpMethod, Output = never> = {
  readonly method: Method;
  /** Such as `/tool-requests/{id}/cancel`. Names in braces are fields of the input. */
  readonly path: `/${string}`;
  /** One line, in the imperative. */
  readonly summary: string;
  readonly tags: readonly [string, ...string[]];
  /** The status of one answer. Without it the first of `successStatuses`. */
  readonly status?: (output: Output) => number;
  /** All that `status` may answer. Defaults to 200 alone. */
  readonly successStatuses?: readonly [number, ...number[]];
  /** Describes the answer in OpenAPI. */
  readonly output?: z.ZodType;
  /** An input, shown in OpenAPI. */
  readonly example?: unknown;
  /** The answer is a `Download`, streamed; such a procedure cannot be called over tRPC. */
  readonly isDownload?: true;
};

/** What every command carries besides being callable. */
export type CommandFacts = {
  readonly input: z.ZodType;
  readonly permission: Permission;
  readonly callers: readonly Actor["kind"][];
  readonly commandName: string;
};

/** What a procedure carries: its route and the command behind it. */
export type ProcedureMeta = {
  readonly http: HttpMeta<HttpMethod, never>;
  readonly command: CommandFacts & ((actor: Actor, raw: never) => Promise<unknown>);
};
