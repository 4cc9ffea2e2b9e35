import { z } from "zod";

const about = {
  version: z.int(),
  changedBy: z.string(),
  changerName: z.string(),
  reason: z.string(),
  restores: z.int().nullable().describe("The earlier version that this one brought back."),
  createdAt: z.iso.datetime(),
};

/** The versions of the rules as OpenAPI describes them. */
export const ruleSetsSchema = z.strictObject({
  items: z.array(z.strictObject({ ...about, rules: z.array(z.string()) })),
  nextCursor: z.int().nullable(),
});

const changeSchema = z.strictObject({
  kind: z.enum(["added", "removed", "changed"]),
  id: z.string(),
  name: z.string(),
  fields: z.array(z.strictObject({ field: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
});

/** One version as OpenAPI describes it. */
export const ruleSetDetailsSchema = z.strictObject({
  ...about,
  isCurrent: z.boolean(),
  currentVersion: z.int(),
  rules: z.array(z.record(z.string(), z.unknown())).describe("The rules that were enabled."),
  against: z.int().nullable().describe("The version compared with; null where there is none before."),
  changes: z.array(changeSchema).describe("What turns that version into this one."),
});

/** The version that a restoration made, as OpenAPI describes it. */
export const restoredSchema = z.strictObject({ version: z.int(), restores: z.int() });
