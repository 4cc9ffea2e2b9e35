import { z } from "zod";
import { type IdKind, idOf } from "@/server/domain/ids";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

/** The fields by which a list of one kind of id is read page by page. */
export const pageOf = (kind: IdKind) => ({
  limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  cursor: idOf(kind).optional(),
});

export type Page<T> = { readonly items: readonly T[]; readonly nextCursor: string | null };

/** A page as OpenAPI describes it. */
export const pageSchema = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), nextCursor: z.string().nullable() });

/** Cuts what was read, one more than asked for, to a page; its last id is where the next one starts. */
export function cutPage<T extends { readonly id: string }>(rows: readonly T[], limit: number): Page<T> {
  const items = rows.slice(0, limit);
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
