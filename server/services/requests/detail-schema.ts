import { z } from "zod";
import { riskSchema } from "@/server/domain/action";
import { approverRoleSchema } from "@/server/domain/roles";
import { shadowMatchesSchema } from "@/server/domain/shadow";
import { standingSchema } from "@/server/domain/standing";
import { requestStatusSchema } from "@/server/domain/tool-request";
import { OWN_REQUESTS } from "@/server/services/approvals/own-request";
import { editSchema } from "@/server/services/requests/edit-schema";

const time = z.iso.datetime();
const named = z.strictObject({ id: z.string(), name: z.string() });
const refusal = z.strictObject({ check: z.string(), code: z.string() });
const other = z.strictObject({ id: z.string(), status: requestStatusSchema });
const versioned = z.strictObject({ id: z.string(), version: z.int() });

/** One request with its exact call and its timeline, as OpenAPI describes it. */
export const requestDetailSchema = z.strictObject({
  id: z.string(),
  action: z.string(),
  summary: z.string(),
  status: requestStatusSchema,
  version: z.int(),
  risk: riskSchema,
  effect: z.enum(["read", "write"]),
  isOutward: z.boolean(),
  isIrreversible: z.boolean(),
  isProposal: z.boolean(),
  takenUpFrom: z.string().nullable().describe("The proposal that this came of."),
  takenUpBy: named.nullable().describe("Who took the proposal up."),
  takenUpAs: z.string().nullable().describe("Of a proposal: the request that came of it."),
  compensates: other.nullable().describe("The earlier request that this one makes good for."),
  compensatedBy: z.array(other).describe("Later requests that make good for this one, at most twenty."),
  isContentWithheld: z.boolean().describe("The reader may not see content: arguments, note and result are null."),
  hasArguments: z.boolean().describe("False where the secret scan refused them: they were not stored."),
  arguments: z.unknown(),
  note: z.unknown().describe("The agent's own words. Not checked."),
  result: z.unknown(),
  edits: z.array(editSchema).describe("What approvers changed before approving, oldest first."),
  ownRequest: z
    .enum(OWN_REQUESTS)
    .nullable()
    .describe("`could`: who asked may decide it, being alone. `decided`: who asked did."),
  standing: standingSchema.describe("Where it stands, by whom and why."),
  digest: z.string().nullable(),
  shadow: shadowMatchesSchema.describe("What rules in shadow would have done. Not enforced."),
  denied: refusal.nullable(),
  blocked: refusal.nullable(),
  errorCode: z.string().nullable(),
  price: z.strictObject({ micros: z.string(), currency: z.string() }).nullable(),
  agent: named.extend({ owner: named }),
  connection: named.extend({ provider: z.string(), account: z.string() }).nullable(),
  session: z.strictObject({ id: z.string(), reference: z.string(), labels: z.array(z.string()) }),
  credential: versioned.nullable(),
  grant: versioned.nullable(),
  approvals: z.array(
    z.strictObject({
      id: z.string(),
      status: z.enum(["pending", "approved", "rejected", "expired", "voided", "withdrawn"]),
      createdAt: time,
      expiresAt: time.nullable().describe("Null where it does not expire."),
      decidedAt: time.nullable(),
      requiredRole: approverRoleSchema,
      requiredPeople: z.int(),
    }),
  ),
  createdAt: time,
  runsAt: time.nullable(),
  claimedAt: time.nullable(),
  finishedAt: time.nullable(),
  timeline: z
    .array(
      z.strictObject({
        id: z.string(),
        type: z.string(),
        at: time,
        actor: z.string().describe("Who did it, by name."),
        fields: z.record(z.string(), z.unknown()),
      }),
    )
    .describe("What the log says of it, oldest first."),
});
