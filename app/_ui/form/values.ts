/** The text of a field, or undefined where it was left empty. */
export function text(fields: FormData, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** A whole number, or undefined where the field was left empty. What is no number goes to the server as it is. */
export function whole(fields: FormData, name: string): number | undefined {
  const value = text(fields, name);
  return value === undefined ? undefined : Number(value);
}

/** One entry a line or comma, without empty ones. */
export function lines(fields: FormData, name: string): string[] {
  const parts = (text(fields, name) ?? "").split(/[\n,]/);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

export function isOn(fields: FormData, name: string): boolean {
  return fields.get(name) !== null;
}

/** All checked values of a group. */
export function chosen(fields: FormData, name: string): string[] {
  return fields.getAll(name).filter((value) => typeof value === "string");
}
