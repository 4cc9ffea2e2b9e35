import { AppError } from "@/server/domain/errors";

/** Answers every path under /api/trpc. */
export async function handleTrpc(_request: Request): Promise<Response> {
  throw new AppError("not_found", "There is no such path.");
}
