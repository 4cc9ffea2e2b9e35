import { z } from "zod";
import { idOf } from "@/server/domain/ids";
import { REPLAY_VERDICTS } from "@/server/domain/replay";
import { approverRoleSchema } from "@/server/domain/roles";

const replayed = z.strictObject({
  verdict: z.enum(REPLAY_VERDICTS),
  needs: z
    .strictObject({ role: approverRoleSchema, people: z.int(), expiresMinutes: z.int().nullable() })
    .nullable()
    .describe("Who is asked, with verdict approval."),
});

/** One part of a replay, as OpenAPI describes it. */
export const replayPartSchema = z.strictObject({
  days: z.int(),
  total: z.int().describe("Requests of these days, counted up to 10,000."),
  done: z.int().describe("How many of them were tried, this part and those before it."),
  requests: z.int().describe("How many were tried in this part."),
  unreadable: z.int().describe("How many of these no longer fit their action, or have no stored arguments."),
  changes: z.array(
    z.strictObject({
      id: z.string(),
      action: z.string(),
      headline: z.string().nullable(),
      agent: z.strictObject({ id: z.string(), name: z.string() }),
      createdAt: z.iso.datetime(),
      was: replayed.describe("What it got when it was asked."),
      would: replayed.describe("What it would get under the draft."),
      rules: z.array(z.string()).describe("The rules of the draft that apply to it."),
    }),
  ),
  nextCursor: z.strictObject({ before: idOf("toolRequest"), done: z.int() }).nullable(),
});
