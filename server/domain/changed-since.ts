import { z } from "zod";

const moneySchema = z.strictObject({ micros: z.string(), currency: z.string() });
const versions = z.strictObject({ from: z.int(), to: z.int() });

/** What a decision would come to now, were it given: the same, one that takes more, another call, or none. */
const FRESH_VERDICTS = ["as_asked", "asks_more", "other_call", "refused"] as const;

/**
 * What changed since something was asked that has waited for long, and what the whole pipeline says of it now. Null in a
 * part is no change.
 */
export const changedSinceSchema = z.strictObject({
  rules: versions.nullable().describe("The organization's rules."),
  grant: z
    .strictObject({ from: z.int(), to: z.int().nullable() })
    .nullable()
    .describe("The grant's version; `to` is null where another grant would be used, or none."),
  price: z.strictObject({ from: moneySchema.nullable(), to: moneySchema.nullable() }).nullable(),
  knownSince: z
    .array(z.string())
    .describe("Targets that the agent has reached since; none for who may not see content."),
  knownSinceCount: z.int(),
  asksBesides: z.array(z.string()).describe("Reasons of now that it was not asked for."),
  asksNoMore: z.array(z.string()).describe("Reasons that it was asked for and that hold no more."),
  verdict: z
    .enum(FRESH_VERDICTS)
    .describe("Approving now: counts; asks anew for more; asks anew, since the call is another; is refused."),
  why: z.string().nullable().describe("Why it would be refused."),
});
export type ChangedSince = z.infer<typeof changedSinceSchema>;
