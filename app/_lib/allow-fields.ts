/** How the form asks for an action's allow-list. An empty list allows nothing. */
export type AllowField = {
  name: string;
  label: string;
  hint: string;
  kind: "texts" | "numbers" | "number";
  initial?: string;
};

export const ALLOW_FIELDS: Readonly<Record<string, readonly AllowField[]>> = {
  "email.send": [
    {
      name: "domains",
      label: "Recipient domains",
      hint: "corp.example, or .corp.example with all below it",
      kind: "texts",
    },
    { name: "addresses", label: "Recipient addresses", hint: "one a line", kind: "texts" },
    { name: "maxRecipients", label: "Most recipients of one mail", hint: "", kind: "number", initial: "10" },
    { name: "maxBytes", label: "Largest mail, in bytes", hint: "", kind: "number", initial: "102400" },
  ],
  "http.request": [
    { name: "methods", label: "Methods", hint: "GET and HEAD read; others write", kind: "texts", initial: "GET" },
    { name: "schemes", label: "Schemes", hint: "https, http", kind: "texts", initial: "https" },
    { name: "hosts", label: "Hosts", hint: "api.example.com, one a line", kind: "texts" },
    { name: "ports", label: "Ports", hint: "443", kind: "numbers", initial: "443" },
    { name: "pathPrefixes", label: "Path prefixes", hint: "/v1/invoices, one a line", kind: "texts", initial: "/" },
    {
      name: "headers",
      label: "Headers the agent may set",
      hint: "accept, one a line",
      kind: "texts",
      initial: "accept",
    },
  ],
};

export const ACTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  smtp: ["email.send"],
  http: ["http.request"],
};

/** What the form calls a list. */
export const allowLabel = (action: string, name: string): string =>
  ALLOW_FIELDS[action]?.find((field) => field.name === name)?.label ?? name;

/** The name of a list's field in the form. */
export const allowFieldName = (action: string, field: string): string => `allow.${action}.${field}`;

/** A stored list as the form shows it. */
export function allowText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(String).join("\n");
  return typeof value === "number" || typeof value === "string" ? String(value) : undefined;
}

type Read = { texts: (name: string) => string[]; number: (name: string) => number | undefined };

/** The allow-list of one action from a form. */
export function readAllow(action: string, read: Read): Record<string, unknown> {
  const fields = ALLOW_FIELDS[action] ?? [];
  const entries = fields.map((field): [string, unknown] => {
    const name = allowFieldName(action, field.name);
    if (field.kind === "number") return [field.name, read.number(name)];
    const texts = read.texts(name);
    return [field.name, field.kind === "numbers" ? texts.map(Number) : texts];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
