import { scopeOf } from "@/server/domain/permission";
import { type JsonSchema, type Shared, schemaOf, without } from "@/server/http/openapi-schema";
import { listRoutes, type Route } from "@/server/http/routes";
import { signInCookieName } from "@/server/services/identity/sign-in-cookie";

const PROBLEM: JsonSchema = {
  type: "object",
  description: "What went wrong (RFC 9457). `code` is stable; `detail` is for people.",
  required: ["type", "title", "status", "detail", "code", "requestId"],
  properties: {
    type: { type: "string", examples: ["urn:countersign:problem:invalid"] },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string", examples: ["not_permitted"] },
    field: { type: "string", description: "The field at fault." },
    check: { type: "string", description: "The check that refused a tool request." },
    reason: { type: "string", description: "Why it refused, in words." },
    id: { type: "string", description: "What was recorded of it, such as a refused tool request." },
    requestId: { type: "string", description: "Names the call in the server's log." },
  },
};

const PROBLEMS = {
  "400": "The body is not JSON, or the call is malformed.",
  "401": "No credential, or one that is not valid.",
  "403": "The credential may not do this, or a check refused the call; `code` and `check` say which.",
  "404": "There is no such thing, or the credential may not see it.",
  "409": "Something else happened first.",
  "413": "The body is larger than 1 MiB.",
  "415": "The body is not application/json.",
  "422": "A field is missing, unknown or not valid.",
  "429": "Too many calls, or a usage limit is reached. Retry-After says when the next can succeed.",
  "503": "A part that is needed is down, so nothing ran.",
} as const;

let document: unknown;

/** OpenAPI 3.1 of every procedure, made from the same definitions that serve them. */
export function openApiDocument(): unknown {
  document ??= build(listRoutes());
  return document;
}

function build(routes: readonly Route[]): unknown {
  const schemas: Shared = { Problem: PROBLEM };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of [...routes].sort((a, b) => a.http.path.localeCompare(b.http.path))) {
    paths[route.http.path] = {
      ...paths[route.http.path],
      [route.http.method.toLowerCase()]: operation(route, schemas),
    };
  }
  const tags = [...new Set(routes.flatMap(({ http }) => http.tags))].sort().map((name) => ({ name }));
  return {
    openapi: "3.1.0",
    info: {
      title: "Countersign",
      version: "1",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      description:
        "Agents ask, people countersign. In a query string, numbers and true or false are written plainly and a list is a repeated field. Amounts of money are whole micro-units as decimal text; times are RFC 3339. Unknown fields are refused.",
    },
    servers: [{ url: "/api/v1" }],
    tags,
    paths,
    components: { schemas, securitySchemes: securitySchemes(), responses: problemResponses() },
  };
}

const securitySchemes = () => ({
  agentKey: { type: "http", scheme: "bearer", bearerFormat: "csk_agent_…", description: "An agent's key." },
  personalToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "csk_user_…",
    description: "A person's token. Its scopes (read, manage, decide) narrow what the person's role allows.",
  },
  cookie: { type: "apiKey", in: "cookie", name: signInCookieName(), description: "A sign-in in the web app." },
});

const problemResponses = () =>
  Object.fromEntries(
    Object.entries(PROBLEMS).map(([status, description]) => [
      `Problem${status}`,
      {
        description,
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        ...(status === "429" ? { headers: { "Retry-After": { schema: { type: "integer" } } } } : {}),
      },
    ]),
  );

function operation(route: Route, shared: Shared): unknown {
  const { http, command, name } = route;
  const input = schemaOf(command.input, "input", name, shared);
  const inPath = route.segments.filter((part) => part.startsWith("{")).map((part) => part.slice(1, -1));
  const hasQuery = http.method === "GET" || http.method === "DELETE";
  const rest = without(input, inPath);
  const parameters = [
    ...inPath.map((field) => parameter(input, field, "path", http.example)),
    ...(hasQuery
      ? Object.keys(rest.properties ?? {}).map((field) => parameter(input, field, "query", http.example))
      : []),
  ];
  return {
    operationId: name,
    summary: http.summary,
    description: `Needs the permission \`${command.permission}\`.`,
    tags: http.tags,
    security: securityOf(command),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasQuery ? {} : { requestBody: requestBody(rest, http.example) }),
    responses: { ...successes(route, shared), ...problems() },
  };
}

function parameter(input: JsonSchema, name: string, place: "path" | "query", example: unknown): unknown {
  const { description, ...schema } = input.properties?.[name] ?? {};
  const isRequired = place === "path" || (input.required ?? []).includes(name);
  const shown =
    typeof example === "object" && example !== null ? (example as Record<string, unknown>)[name] : undefined;
  return {
    name,
    in: place,
    required: isRequired,
    ...(description === undefined ? {} : { description }),
    schema,
    ...(shown === undefined ? {} : { example: shown }),
  };
}

function requestBody(schema: JsonSchema, example: unknown): unknown {
  const isRequired = (schema.required ?? []).length > 0 || schema.properties === undefined;
  const content = { schema, ...(example === undefined ? {} : { example }) };
  return { required: isRequired, content: { "application/json": content } };
}

function securityOf({ callers, permission }: Route["command"]): unknown[] {
  const scope = scopeOf(permission);
  const isForMembers = callers.includes("member");
  return [
    ...(callers.includes("agent") ? [{ agentKey: [] }] : []),
    ...(isForMembers && scope !== undefined ? [{ personalToken: [scope] }] : []),
    ...(isForMembers ? [{ cookie: [] }] : []),
  ];
}

function successes({ http, name }: Route, shared: Shared): Record<string, unknown> {
  const schema = http.output ? schemaOf(http.output, "output", `${name}.answer`, shared) : {};
  const content = http.isDownload ? { "*/*": { schema: { type: "string" } } } : { "application/json": { schema } };
  const statuses = http.successStatuses ?? [200];
  return Object.fromEntries(
    statuses.map((status) => [String(status), { description: DONE[status] ?? "Done.", content }]),
  );
}

const DONE: Readonly<Record<number, string>> = { 200: "Done.", 201: "Made.", 202: "Taken up, and not finished." };

const problems = () =>
  Object.fromEntries(
    Object.keys(PROBLEMS).map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  );
