import type { Change, EditKind, Edits } from "@/server/domain/edit";
import type { JsonObject, JsonValue } from "@/server/domain/json";

/** The name of the box that leaves an optional text out. */
export const leftOutName = (field: string): string => `${field}-left-out`;

/** The call as a form of edits leaves it. Only fields that may be edited are read from the form. */
export function composeEdit(args: JsonObject, editable: Edits, form: FormData): JsonObject {
  const fields = Object.entries(args).flatMap(([field, before]): [string, JsonValue][] => {
    const kind = Object.hasOwn(editable, field) ? editable[field] : undefined;
    const after = kind === undefined ? before : composeField(field, kind, before, form);
    return after === undefined ? [] : [[field, after]];
  });
  return Object.fromEntries(fields);
}

/** What a form of edits changed. Whatever it left alone is the very value that it was. */
export function editedFields(args: JsonObject, next: JsonObject): Change[] {
  return Object.entries(args).flatMap(([field, before]): Change[] => {
    const after = next[field];
    if (JSON.stringify(after) === JSON.stringify(before)) return [];
    return [{ field, before, ...(after === undefined ? {} : { after }) }];
  });
}

function composeField(field: string, kind: EditKind, before: JsonValue, form: FormData): JsonValue | undefined {
  switch (kind) {
    case "optional_text":
      return form.has(leftOutName(field)) ? undefined : composeText(before, form.get(field));
    case "text":
      return composeText(before, form.get(field));
    case "drop":
      return composeList(before, form.getAll(field));
    case "lower":
      return composeAmount(before, form.get(field));
  }
}

const withoutReturns = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

/** A text area knows one kind of line end: what nobody touched keeps its own, and so does a text written anew. */
function composeText(before: JsonValue, typed: FormDataEntryValue | null): JsonValue {
  if (typeof before !== "string" || typeof typed !== "string") return before;
  const text = withoutReturns(typed);
  if (text === withoutReturns(before)) return before;
  return before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

function composeList(before: JsonValue, kept: readonly FormDataEntryValue[]): JsonValue {
  if (!Array.isArray(before)) return before;
  return before.filter((_, index) => kept.includes(`${index}`));
}

/** As a number where it was one and still is. What is none goes to the server as it is, which says so. */
function composeAmount(before: JsonValue, typed: FormDataEntryValue | null): JsonValue {
  if (typeof typed !== "string") return before;
  const text = typed.trim();
  const amount = Number(text);
  return typeof before === "number" && text !== "" && Number.isFinite(amount) ? amount : text;
}
