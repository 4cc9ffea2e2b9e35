import { z } from "zod";

/** What an approver changed of a request, as OpenAPI describes it. */
export const editSchema = z.strictObject({
  by: z.string().describe("Who, by name."),
  at: z.iso.datetime(),
  changes: z
    .array(
      z.strictObject({
        field: z.string(),
        before: z.unknown().optional().describe("Absent where there was none."),
        after: z.unknown().optional().describe("Absent where it was left out."),
      }),
    )
    .nullable()
    .describe("Null where the reader may not see content."),
});
