const UNIQUE_VIOLATION = new Set(["P2002", "23505"]);

/** Whether the database refused a row because another already has its name or place. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && UNIQUE_VIOLATION.has(String(error.code));
}
