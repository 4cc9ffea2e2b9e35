import { z } from "zod";
import { riskSchema } from "@/server/domain/action";
import { pageSchema } from "@/server/domain/page";
import { standingSchema } from "@/server/domain/standing";
import { requestStatusSchema } from "@/server/domain/tool-request";
import { editSchema } from "@/server/services/requests/edit-schema";

const time = z.iso.datetime();
const named = z.strictObject({ id: z.string(), name: z.string() });

/** What an agent is told of its request, as OpenAPI describes it. Which fields are there depends on the status. */
export const answerSchema = z.strictObject({
  id: z.string(),
  status: requestStatusSchema,
  version: z.int().describe("Grows with every change; give it as `after` to wait for the next."),
  standing: standingSchema
    .optional()
    .describe("Where it stands, by whom and why. With every read, whatever the status."),
  result: z.unknown().optional().describe("What the tool answered. With status succeeded."),
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  approval: z
    .strictObject({
      id: z.string(),
      expiresAt: time.nullable().describe("Null where it does not expire: it waits until somebody decides."),
      reasons: z.array(z.strictObject({ code: z.string(), text: z.string() })),
      nobodyCanApprove: z.literal(true).optional().describe("Nobody can approve it as things stand. message says why."),
      message: z.string().optional(),
    })
    .optional()
    .describe("What a person is asked. With status pending."),
  blocked: z.strictObject({ check: z.string(), code: z.string(), message: z.string() }).optional(),
  runsAt: time.optional(),
  cancelUntil: time.optional().describe("Until when it can be cancelled. With status scheduled."),
  takenUpAs: z.string().optional().describe("The request that a person made of this proposal. With status denied."),
  decidedBy: z.array(z.string()).optional().describe("Who approved or rejected it, by name."),
  edits: z
    .array(editSchema)
    .optional()
    .describe("What approvers changed before approving, oldest first. What runs is what they made of it."),
  reason: z.string().optional().describe("Why a person rejected it, in their words."),
  code: z.string().optional(),
  check: z.string().optional(),
  message: z.string().optional(),
});

/** What a change of a request's state answers. */
export const movedSchema = z.strictObject({ id: z.string(), status: requestStatusSchema, version: z.int() });

export const requestPageSchema = pageSchema(
  z.strictObject({
    id: z.string(),
    action: z.string(),
    headline: z
      .string()
      .nullable()
      .describe("What is asked, with its arguments; null where the reader may not see content or none is stored."),
    status: requestStatusSchema,
    version: z.int(),
    risk: riskSchema,
    effect: z.enum(["read", "write"]),
    isProposal: z.boolean(),
    takenUpAt: time.nullable().describe("When a person took the proposal up."),
    deniedCheck: z.string().nullable(),
    deniedCode: z.string().nullable(),
    blockedCode: z.string().nullable(),
    errorCode: z.string().nullable(),
    createdAt: time,
    updatedAt: time,
    runsAt: time.nullable(),
    finishedAt: time.nullable(),
    agent: named,
    connection: named.extend({ provider: z.string() }).nullable(),
  }),
);

export const toolsSchema = z.strictObject({
  items: z.array(
    z.strictObject({
      action: z.string(),
      connection: z.string(),
      connectionName: z.string(),
      summary: z.string(),
      risk: riskSchema,
      access: z.enum(["read", "write"]),
      allow: z.unknown().describe("The argument limits of the grant for this action."),
      expiresAt: time.nullable(),
      arguments: z.unknown().describe("JSON Schema of the arguments."),
    }),
  ),
});
