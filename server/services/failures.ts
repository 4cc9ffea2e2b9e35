import { isUniqueViolation } from "@/server/db/unique";
import { AppError } from "@/server/domain/errors";

/** What does not exist, or what the caller may not know of. */
export const notFound = (noun: string): AppError => new AppError("not_found", `There is no such ${noun}.`);

/** Somebody else was faster: the caller decided by what is no longer so. */
export const changedMeanwhile = (noun: string): AppError =>
  new AppError("conflict", `The ${noun} has changed. Read it again.`, { reason: "stale_version" });

/** A field whose form is right but which cannot be, such as a reference to nothing. */
export const invalidField = (field: string, rule: string): AppError =>
  new AppError("invalid", `${field}: ${rule}`, { field });

/** Runs `work`; a name that another row already has becomes a conflict. */
export async function onTaken<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("conflict", `${what} exists already.`, { reason: "already_exists" }, { cause: error });
  }
}
