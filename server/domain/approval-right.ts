import { z } from "zod";
import { riskSchema } from "@/server/domain/action";
import { idOf } from "@/server/domain/ids";

const MAX_ENTRIES = 50;

/** Null limits nothing; an empty list is refused, since nobody could say which of the two was meant. */
const limitTo = <T extends z.ZodType<string>>(item: T) =>
  z
    .array(item)
    .min(1)
    .max(MAX_ENTRIES)
    .refine((items) => new Set(items).size === items.length, "must name each once")
    .nullable()
    .default(null);

/** What a right to approve covers: requests up to a risk that every list which is given names. */
export const rightScopeFields = {
  maxRisk: riskSchema,
  departments: limitTo(idOf("department")),
  actions: limitTo(z.string().min(3).max(100)),
  connections: limitTo(idOf("connection")),
};
