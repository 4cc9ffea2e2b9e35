import { monotonicFactory } from "ulid";
import { type IdKind, prefixOf } from "@/server/domain/ids";

const next = monotonicFactory();

/** A new id: prefixed, sortable by time, 80 random bits. */
export function newId(kind: IdKind): string {
  return `${prefixOf(kind)}_${next()}`;
}
