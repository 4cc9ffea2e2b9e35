import type { JsonValue } from "@/server/domain/json";
import { type PathSegment, showPath } from "@/server/domain/text";

/** One text of the arguments: where it stands and, for a value, the name that says what it is. */
export type Field = { readonly path: string; readonly name: string | null; readonly text: string };

/**
 * Every text in `value`, keys included, nested at any depth. A path shows plain names only:
 * a key of unusual form could itself be the secret.
 */
export function fieldsOf(root: string, value: JsonValue): Field[] {
  const fields: Field[] = [];
  visit(value, { path: [root], name: null }, fields);
  return fields;
}

type Place = { readonly path: readonly PathSegment[]; readonly name: string | null };

function visit(value: JsonValue, place: Place, fields: Field[]): void {
  if (typeof value === "string") {
    fields.push({ path: showPath(place.path), name: place.name, text: value });
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      visit(item, { path: [...place.path, index], name: place.name }, fields);
  } else if (value !== null && typeof value === "object") {
    visitObject(value, place, fields);
  }
}

// Credentials of every kind hold digits, so a key without them can be shown.
const SHOWN_KEY = /^[A-Za-z][A-Za-z_-]{0,30}\d{0,2}$/;

function visitObject(object: { [key: string]: JsonValue }, place: Place, fields: Field[]): void {
  const pairName = nameOfPair(object);
  for (const [key, item] of Object.entries(object)) {
    fields.push({ path: `${showPath(place.path)}.(key)`, name: null, text: key });
    const segment = SHOWN_KEY.test(key) ? key : "(key)";
    visit(item, { path: [...place.path, segment], name: key === "value" ? (pairName ?? key) : key }, fields);
  }
}

/** `{name: "Authorization", value: "…"}` says in one field what the other is. */
function nameOfPair(object: { [key: string]: JsonValue }): string | null {
  for (const key of ["name", "key", "header", "field"]) {
    const name = object[key];
    if (typeof name === "string") return name;
  }
  return null;
}
