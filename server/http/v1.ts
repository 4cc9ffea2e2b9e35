import { AppError } from "@/server/domain/errors";

/** Answers every path under /api/v1. */
export async function handleV1(_request: Request): Promise<Response> {
  throw new AppError("not_found", "There is no such path.");
}
