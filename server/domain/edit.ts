import type { ArgumentRule } from "@/server/domain/actions/rules";
import { canonicalJson } from "@/server/domain/canonical-json";
import type { JsonObject, JsonValue } from "@/server/domain/json";
import { microsFromDecimal } from "@/server/domain/money";

export const EDIT_KINDS = ["text", "optional_text", "drop", "lower"] as const;

/**
 * What an approver may do to an argument: `text` is written anew; `optional_text` too, or left out; `drop` is a list that may only lose entries; `lower` is an amount that may only go down, not below zero.
 */
export type EditKind = (typeof EDIT_KINDS)[number];

/** An action's arguments that may be edited before they are approved. All others stand as the agent wrote them. */
export type Edits = Readonly<Record<string, EditKind>>;

/** Which argument was edited in a way that the action does not allow. */
type EditRefusal = { readonly field: string; readonly rule: ArgumentRule };

/** One argument that differs. A missing one is absent here too. */
export type Change = { readonly field: string; readonly before?: JsonValue; readonly after?: JsonValue };

/** The arguments that differ between two versions of one call, by their spelling in canonical JSON, in the order of their names. */
export function changesBetween(before: JsonObject, after: JsonObject): Change[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return fields
    .filter((field) => spelling(before, field) !== spelling(after, field))
    .map((field) => ({ field, ...part("before", before, field), ...part("after", after, field) }));
}

/** The first edit that goes further than the action allows, or null. */
export function refuseEdit(edits: Edits, before: JsonObject, after: JsonObject): EditRefusal | null {
  for (const change of changesBetween(before, after)) {
    const rule = refuseChange(Object.hasOwn(edits, change.field) ? edits[change.field] : undefined, change);
    if (rule !== null) return { field: change.field, rule };
  }
  return null;
}

type Allows = (after: JsonValue | undefined, before: JsonValue | undefined) => boolean;

// Nothing is added where the agent wrote nothing: that part of the call would be nobody's but the approver's.
const KINDS: Readonly<Record<EditKind, { readonly allows: Allows; readonly rule: ArgumentRule }>> = {
  text: { allows: (after, before) => isText(before) && isText(after), rule: "not_editable" },
  optional_text: { allows: (after, before) => isText(before) && isText(after ?? ""), rule: "not_editable" },
  drop: { allows: (after, before) => isPartOf(after ?? [], before), rule: "only_drop" },
  lower: { allows: (after, before) => isLower(after, before), rule: "only_lower" },
};

function refuseChange(kind: EditKind | undefined, { before, after }: Change): ArgumentRule | null {
  if (kind === undefined) return "not_editable";
  const { allows, rule } = KINDS[kind];
  return allows(after, before) ? null : rule;
}

const isText = (value: JsonValue | undefined): boolean => typeof value === "string";

/** Whether the entries of one list are entries of the other, in the same order, none oftener. */
function isPartOf(part: JsonValue, whole: JsonValue | undefined): boolean {
  if (!Array.isArray(part) || !Array.isArray(whole)) return false;
  const wanted = part.map((entry) => canonicalJson(entry));
  let found = 0;
  for (const entry of whole) if (found < wanted.length && canonicalJson(entry) === wanted[found]) found += 1;
  return found === wanted.length;
}

function isLower(after: JsonValue | undefined, before: JsonValue | undefined): boolean {
  if (typeof after === "number" && typeof before === "number") return after >= 0 && after < before;
  if (typeof after !== "string" || typeof before !== "string") return false;
  const [lower, upper] = [microsFromDecimal(after), microsFromDecimal(before)];
  return lower !== null && upper !== null && lower >= 0n && lower < upper;
}

const at = (args: JsonObject, field: string): JsonValue | undefined =>
  Object.hasOwn(args, field) ? args[field] : undefined;

function spelling(args: JsonObject, field: string): string | null {
  const value = at(args, field);
  return value === undefined ? null : canonicalJson(value);
}

function part(name: "before" | "after", args: JsonObject, field: string): Partial<Change> {
  const value = at(args, field);
  return value === undefined ? {} : { [name]: value };
}
