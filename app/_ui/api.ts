import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import type { inferRouterInputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/root";
import type { Outcome, Place } from "./outcome";

/** The procedures of the product, called as the person signed in. One call a request: the server refuses batches. */
export const api = createTRPCClient<AppRouter>({ links: [httpLink({ url: "/api/trpc" })] });

export type Inputs = inferRouterInputs<AppRouter>;

const UNREACHABLE = "The server did not answer. We do not know whether this was done: load the page again to see.";

type ErrorData = {
  reason?: string;
  field?: string;
  extra?: { line?: number; column?: number };
};

/** Waits for a call. A failure carries the server's own words, and the field and place where the fault is. */
export async function attempt<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    const data = error instanceof TRPCClientError ? (error.data as ErrorData | null | undefined) : undefined;
    if (!(error instanceof Error) || !data) return { ok: false, code: "unreachable", message: UNREACHABLE };
    const place = placeOf(data.extra);
    return {
      ok: false,
      message: error.message,
      code: data.reason ?? "refused",
      ...(data.field === undefined ? {} : { field: data.field }),
      ...(place ? { place } : {}),
    };
  }
}

function placeOf(extra: ErrorData["extra"]): Place | undefined {
  if (extra?.line === undefined || extra.column === undefined) return undefined;
  return { line: extra.line, column: extra.column };
}
