import { AppError } from "@/server/domain/errors";
import { isJsonObject, type JsonObject, type JsonValue } from "@/server/domain/json";
import { jsonBody } from "@/server/http/request-body";
import type { FieldType, Route } from "@/server/http/routes";

const MAX_QUERY_FIELDS = 50;
const NUMBER = /^-?(0|[1-9][0-9]{0,15})(\.[0-9]{1,6})?$/;

/**
 * The input of a call: fields of the path, of the query string (GET and DELETE) and of the JSON body, side by side.
 * A field that two of them name is refused. Query strings hold text only, so a field that the schema says is a
 * number or a flag is read as one, and one that is a list may be repeated; what does not read so stays text, for the
 * schema to refuse by name. Throws AppError.
 */
export async function callInput(
  request: Request,
  route: Route,
  params: Readonly<Record<string, string>>,
): Promise<JsonObject> {
  const { method } = route.http;
  const query = queryFields(new URL(request.url).searchParams, route, method === "GET" || method === "DELETE");
  const body = method === "GET" ? {} : await bodyFields(request);
  const input: JsonObject = {};
  for (const [name, value] of [...Object.entries(params), ...Object.entries(query), ...Object.entries(body)]) {
    if (Object.hasOwn(input, name)) throw fault(name, "is given twice", "field_given_twice");
    input[name] = value;
  }
  return input;
}

const fault = (field: string, rule: string, reason?: string) =>
  new AppError("invalid", `${field}: ${rule}`, reason === undefined ? { field } : { field, reason });

async function bodyFields(request: Request): Promise<JsonObject> {
  const { value = {} } = await jsonBody(request);
  if (!isJsonObject(value))
    throw new AppError("invalid", "The body must be a JSON object.", { reason: "not_an_object" });
  return value;
}

const PLAIN_NAME = /^[A-Za-z][\w-]{0,63}$/;

/** A field that the input does not have goes along as text: the command refuses it, after it has asked who calls. */
function queryFields(query: URLSearchParams, route: Route, isAllowed: boolean): JsonObject {
  const names = [...new Set(query.keys())];
  if (names.length > MAX_QUERY_FIELDS) throw new AppError("invalid", "The query has too many fields.");
  return Object.fromEntries(
    names.map((name) => {
      // A name that the caller made up could itself be content, so it is not repeated.
      if (!PLAIN_NAME.test(name)) throw fault("(query)", "has a name that is no field's");
      if (!isAllowed) throw fault(name, "belongs in the body");
      return [name, readField(name, query.getAll(name), route.fields.get(name) ?? "text")];
    }),
  );
}

function readField(name: string, texts: readonly string[], type: FieldType): JsonValue {
  if (type === "list") return [...texts];
  const [text = "", ...more] = texts;
  if (more.length > 0) throw fault(name, "is given twice", "field_given_twice");
  if (text.includes("\0") || !text.isWellFormed()) throw fault(name, "must not contain NUL or half characters");
  if (type === "number" && NUMBER.test(text)) return Number(text);
  if (type === "flag" && (text === "true" || text === "false")) return text === "true";
  return text;
}
