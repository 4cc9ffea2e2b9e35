import { AppError } from "@/server/domain/errors";

// Of the network, of PostgreSQL (class 08, too many connections, shutting down, starting up), and of Prisma.
const CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|08\w{3}|53300|57P0[123]|P1001|P1002|P1008|P1017|P2024)$/;
const MESSAGES = /^(timeout exceeded when trying to connect|Connection terminated)/;
const MAX_CAUSES = 5;

function isOutage(error: Error): boolean {
  const code = "code" in error ? String(error.code) : "";
  return CODES.test(code) || MESSAGES.test(error.message);
}

/** Whether something failed because the database cannot be reached: then nothing ran, and trying again may help. */
export function outageOf(error: unknown): AppError | null {
  for (let next = error, depth = 0; next instanceof Error && depth < MAX_CAUSES; next = next.cause, depth += 1) {
    if (next instanceof AppError) return null;
    if (!isOutage(next)) continue;
    const details = { reason: "database_unavailable", retryAfterS: 5 };
    return new AppError("unavailable", "The database cannot be reached, so nothing ran.", details, { cause: error });
  }
  return null;
}
