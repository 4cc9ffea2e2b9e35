import { z } from "zod";
import { AUDIT_FAULTS } from "@/server/domain/audit";
import { pageSchema } from "@/server/domain/page";

const id = z.string().nullable();

/** An entry as its readers see it. One whose bytes are not ours any more is shown as what is left of it. */
const recordSchema = z.strictObject({
  id: z.string(),
  type: z.string(),
  at: z.iso.datetime(),
  actor: z
    .strictObject({
      kind: z.enum(["member", "agent", "system", "anonymous"]),
      id: z.string().optional(),
      role: z.string().optional(),
      via: z.string().optional(),
      credential: z.string().optional(),
      issuedBy: z.string().optional(),
    })
    .nullable(),
  person: id.describe("For whom it happened."),
  agent: id,
  session: id,
  request: id,
  credential: id.describe("The stored credential that was used."),
  approvers: z.array(z.string()),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  personal: z.record(z.string(), z.string().nullable()).describe("By field; null where the value was erased."),
  index: z.int().nullable().describe("Its place in the chain; null until it is sealed."),
  hash: z.string().nullable(),
  isReadable: z.boolean(),
});

/** A page of the log as OpenAPI describes it. */
export const auditPageSchema = pageSchema(recordSchema).extend({
  names: z.record(z.string(), z.string()).describe("Of the members and agents in it, by id."),
});

/** What verifying the log answers. */
export const auditReportSchema = z.strictObject({
  intact: z.boolean(),
  entries: z.int().describe("Entries in the chain."),
  head: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("The hash of the last good link. Kept elsewhere with entries, it shows later that nothing was cut off."),
  firstFault: z.strictObject({ index: z.int(), kind: z.enum(AUDIT_FAULTS), eventId: z.string().nullable() }).optional(),
});
