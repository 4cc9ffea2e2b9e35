/** Arguments come from an agent: the readable views take only what has the shape they draw, the rest is shown as is. */

export type EmailCall = {
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  text: string;
  html?: string;
  others: [string, unknown][];
};

export type HttpCall = {
  method: string;
  url: string;
  headers: [string, string][];
  /** Text as it is sent, or a value that is sent as JSON. */
  body?: string | object;
  others: [string, unknown][];
};

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isBody = (value: unknown): value is string | object =>
  isText(value) || (typeof value === "object" && value !== null);
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** The fields of the arguments, in their own order. Anything but a record becomes one field. */
export function fieldsOf(args: unknown): [string, unknown][] {
  return isRecord(args) ? Object.entries(args) : [["value", args]];
}

/** An e-mail, or undefined where the arguments are not shaped like one. No field is ever dropped. */
export function asEmail(args: unknown): EmailCall | undefined {
  if (!isRecord(args)) return undefined;
  const { to, cc = [], bcc = [], subject, text, html, ...others } = args;
  if (!(isTexts(to) && isTexts(cc) && isTexts(bcc) && isText(subject) && isText(text))) return undefined;
  if (html !== undefined && !isText(html)) return undefined;
  return { to, cc, bcc, subject, text, ...(html === undefined ? {} : { html }), others: Object.entries(others) };
}

/** An HTTP call, or undefined where the arguments are not shaped like one. No field is ever dropped. */
export function asHttp(args: unknown): HttpCall | undefined {
  if (!isRecord(args)) return undefined;
  const { method, url, headers = {}, body, ...others } = args;
  if (!(isText(method) && isText(url) && isRecord(headers))) return undefined;
  const pairs = Object.entries(headers);
  if (!pairs.every((pair): pair is [string, string] => isText(pair[1]))) return undefined;
  if (body !== undefined && !isBody(body)) return undefined;
  return { method, url, headers: pairs, ...(body === undefined ? {} : { body }), others: Object.entries(others) };
}
