import { z } from "zod";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { outageOf } from "@/server/domain/outage";
import { errorFields, log } from "@/server/log";
import { answerFields, decideInBatch, shownFields } from "@/server/services/approvals/decide";
import type { Decided } from "@/server/services/approvals/insert-decision";
import { command } from "@/server/services/command";

const MAX_ITEMS = 50;

const input = z.strictObject({
  ...answerFields,
  items: z
    .array(z.strictObject(shownFields))
    .min(1)
    .max(MAX_ITEMS)
    .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, "must name each approval once"),
});
type Input = z.output<typeof input>;

/** What became of one of many: decided, or why not. */
export type ItemResult =
  | ({ readonly ok: true } & Decided)
  | { readonly ok: false; readonly id: string; readonly code: string; readonly message: string };

/**
 * One answer to many approvals. Each is decided by itself, in a transaction of its own, by the rules of a single
 * decision; what fails says why and keeps no other from being decided. High risk is decided one by one.
 */
export const decideApprovals = command({
  name: "approval.decide_many",
  callers: ["member"],
  permission: "approval:decide",
  input,
  run: async (actor, { items, ...answer }: Input): Promise<{ results: ItemResult[] }> => {
    const results: ItemResult[] = [];
    for (const item of items) results.push(await one(actor, { ...answer, ...item }));
    return { results };
  },
});

async function one(actor: MemberActor, decision: Parameters<typeof decideInBatch>[1]): Promise<ItemResult> {
  try {
    return { ok: true, ...(await decideInBatch(actor, decision)) };
  } catch (error) {
    const { reason, message } = told(error);
    return { ok: false, id: decision.id, code: reason, message };
  }
}

/** An expected failure in its own words; of a bug no more than that it was one. */
function told(error: unknown): AppError {
  const expected = error instanceof AppError ? error : outageOf(error);
  if (expected !== null) return expected;
  log.error(errorFields(error), "one decision of many failed");
  return new AppError("unavailable", "We do not know whether it was decided. Read it again.", { reason: "internal" });
}
