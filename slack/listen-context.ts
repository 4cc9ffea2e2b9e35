import { z } from "zod";
import { channelIdSchema, teamIdSchema, userIdSchema } from "@/server/services/slack/slack-ids";

// `team` is not read: it is null where the app is installed for a whole organization of Slack's.
const person = z.looseObject({
  user: z.looseObject({ id: userIdSchema, team_id: teamIdSchema.optional() }),
});

/** The parts of a button's press that we read. */
export const pressSchema = person.extend({
  trigger_id: z.string().max(500).optional(),
  channel: z.looseObject({ id: channelIdSchema }),
  actions: z.tuple([z.looseObject({ value: z.string().max(2_000).optional() })]),
});

/** The parts of a submitted dialog that we read. */
export const submissionSchema = person.extend({
  view: z.looseObject({
    private_metadata: z.string().max(3_000),
    state: z.looseObject({
      values: z.looseObject({
        reason: z.looseObject({ reason: z.looseObject({ value: z.string().max(2_000).nullish() }) }),
      }),
    }),
  }),
});

/** What our receiver found out about the call. */
export const contextSchema = z
  .looseObject({ orgId: z.string(), installation: teamIdSchema })
  .transform(({ orgId, installation }) => ({ orgId, teamId: installation }));

/** A value of ours that came back; null where it is none. */
export function readJson<T extends z.ZodType>(schema: T, text: string | undefined): z.output<T> | null {
  try {
    return schema.safeParse(JSON.parse(text ?? "")).data ?? null;
  } catch {
    return null;
  }
}
