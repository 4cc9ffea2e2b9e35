import { z } from "zod";
import { riskSchema } from "@/server/domain/action";
import { approvalReasonSchema } from "@/server/domain/approval-reasons";
import { EDIT_KINDS } from "@/server/domain/edit";
import { approverRoleSchema, roleSchema } from "@/server/domain/roles";
import { OWN_REQUESTS } from "@/server/services/approvals/own-request";
import { editSchema } from "@/server/services/requests/edit-schema";

const time = z.iso.datetime();
const named = { id: z.string(), name: z.string() };
const away = z
  .strictObject({ until: time, standIn: z.strictObject(named).nullable() })
  .nullable()
  .describe(
    "Until when they are out, and who stands in: that one is told, and gains no say. Null while they are here.",
  );

/** An approval with the exact call it asks for, as OpenAPI describes it. */
export const approvalSchema = z.strictObject({
  id: z.string(),
  requestId: z.string(),
  requestVersion: z.int(),
  requestStatus: z.string(),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("What a decision must post back: it is bound to these arguments."),
  status: z.string(),
  action: z.string(),
  summary: z.string(),
  connection: z.strictObject({ ...named, provider: z.string(), account: z.string() }),
  agent: z.strictObject({ ...named, owner: z.string() }),
  arguments: z.unknown().describe("The arguments as they will run; null where the reader may not see content."),
  note: z.string().nullable().describe("The agent's own words. Not checked."),
  isContentWithheld: z.boolean(),
  editable: z.record(z.string(), z.enum(EDIT_KINDS)).describe("What may be changed before approving, and how."),
  edits: z.array(editSchema).describe("What approvers changed, oldest first."),
  reasons: z.array(approvalReasonSchema),
  risk: riskSchema,
  effect: z.enum(["read", "write"]),
  isOutward: z.boolean(),
  isIrreversible: z.boolean(),
  undoSeconds: z.int(),
  price: z.strictObject({ micros: z.string(), currency: z.string() }).nullable(),
  labels: z.array(z.string()),
  seenTargets: z.array(z.string()),
  blocked: z.strictObject({ check: z.string(), code: z.string(), message: z.string() }).nullable(),
  isHeld: z.boolean(),
  createdAt: time,
  expiresAt: time.nullable().describe("Null where it does not expire: a project asks, or a rule says never."),
  decidedAt: time.nullable(),
  remindedAt: time.nullable(),
  escalated: z
    .strictObject({ to: approverRoleSchema, at: time })
    .nullable()
    .describe("The role that it went on to last, since nobody decided."),
  required: z.strictObject({ people: z.int(), role: approverRoleSchema }),
  given: z.int().describe("How many have approved so far."),
  decisions: z.array(
    z.strictObject({
      memberId: z.string(),
      name: z.string(),
      decision: z.string(),
      at: z.string(),
      isOwn: z.boolean().describe("Who decided counted as having asked."),
    }),
  ),
  ownRequest: z
    .enum(OWN_REQUESTS)
    .nullable()
    .describe("`could`: who asked may decide it, being alone. `decided`: who asked did."),
  mayDecide: z.union([
    z.strictObject({ allowed: z.literal(true), isOwn: z.boolean() }),
    z.strictObject({ allowed: z.literal(false), why: z.string() }),
  ]),
  takenUpBy: z.strictObject(named).nullable().describe("Who took it up, where it came of a proposal."),
  compensates: z.string().nullable().describe("The earlier request that this one makes good for."),
  whoCould: z
    .strictObject({
      people: z.array(z.strictObject({ ...named, role: roleSchema, away })).describe("At most fifty, by name."),
      count: z.int(),
      nobody: z.string().nullable().describe("Why nobody can approve it as things stand; null where enough could."),
    })
    .nullable()
    .describe("Who could approve it at this moment: active, of the role, did not ask, has not decided."),
});

const decidedFields = {
  id: z.string(),
  status: z.enum(["pending", "approved", "rejected"]),
  remaining: z.int().describe("How many more people have to approve."),
  requestStatus: z.enum(["pending", "ready", "scheduled", "rejected"]),
  isSecondAsked: z.boolean().describe("It came faster than it can be read, and a rule asks for another person then."),
};

/** What a decision answers. */
export const decidedSchema = z.strictObject(decidedFields);

/** What many decisions at once answer, in the order of the items. */
export const decidedManySchema = z.strictObject({
  results: z.array(
    z.discriminatedUnion("ok", [
      z.strictObject({ ok: z.literal(true), ...decidedFields }),
      z.strictObject({ ok: z.literal(false), id: z.string(), code: z.string(), message: z.string() }),
    ]),
  ),
});
