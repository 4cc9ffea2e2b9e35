import "server-only";
import { z } from "zod";
import { openApiDocument } from "@/server/http/openapi";

const schemaSchema = z.record(z.string(), z.unknown());
const parameterSchema = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: schemaSchema.optional(),
});
const contentSchema = z.record(
  z.string(),
  z.object({ schema: schemaSchema.optional(), example: z.unknown() }).partial(),
);
const operationSchema = z.object({
  summary: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  parameters: z.array(parameterSchema).optional(),
  requestBody: z.object({ content: contentSchema.optional() }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string().optional() })).optional(),
});
const documentSchema = z.object({
  info: z.object({ description: z.string().optional() }),
  servers: z.array(z.object({ url: z.string() })).optional(),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});

export type ReferenceField = { name: string; place: string; type: string; isRequired: boolean; about: string };

export type ReferenceOperation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  fields: ReferenceField[];
  answers: { status: string; about: string }[];
  example?: string;
};

export type Reference = { about: string; groups: { name: string; operations: ReferenceOperation[] }[] };

/** The reference page's content, read from the very document that clients get. */
export function readReference(): Reference {
  const document = documentSchema.parse(JSON.parse(JSON.stringify(openApiDocument())));
  const base = document.servers?.[0]?.url ?? "";
  const groups = new Map<string, ReferenceOperation[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = operation.tags?.[0] ?? "Other";
      groups.set(name, [...(groups.get(name) ?? []), operationOf(base + path, method, operation)]);
    }
  }
  return {
    about: document.info.description ?? "",
    groups: [...groups].map(([name, operations]) => ({ name, operations })),
  };
}

type Operation = z.output<typeof operationSchema>;

function operationOf(path: string, method: string, operation: Operation): ReferenceOperation {
  const body = operation.requestBody?.content?.["application/json"];
  const example = body?.example;
  return {
    id: `${method}-${path.replace(/\W+/g, "-")}`,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? "",
    description: operation.description ?? "",
    fields: [...parametersOf(operation), ...fieldsOf(body?.schema ?? {})],
    answers: Object.entries(operation.responses ?? {}).map(([status, { description }]) => ({
      status,
      about: description ?? "",
    })),
    ...(example === undefined ? {} : { example: JSON.stringify(example, null, 2) }),
  };
}

function parametersOf(operation: Operation): ReferenceField[] {
  return (operation.parameters ?? []).map((parameter) => ({
    name: parameter.name,
    place: parameter.in,
    type: typeText(parameter.schema ?? {}),
    isRequired: parameter.required === true,
    about: parameter.description ?? textIn(parameter.schema, "description"),
  }));
}

type Schema = z.output<typeof schemaSchema>;

function fieldsOf(schema: Schema): ReferenceField[] {
  const variants = variantsOf(schema);
  const fields = (variants.length > 0 ? variants : [schema]).flatMap(ownFields);
  return fields.filter((field, index) => fields.findIndex((other) => other.name === field.name) === index);
}

function ownFields(schema: Schema): ReferenceField[] {
  const properties = schemaSchema.safeParse(schema.properties).data ?? {};
  const required = z.array(z.string()).safeParse(schema.required).data ?? [];
  return Object.entries(properties).map(([name, value]) => {
    const field = schemaSchema.safeParse(value).data ?? {};
    return {
      name,
      place: "body",
      type: typeText(field),
      isRequired: required.includes(name),
      about: textIn(field, "description"),
    };
  });
}

function variantsOf(schema: Schema): Schema[] {
  const lists = [schema.oneOf, schema.anyOf];
  return lists.flatMap((list) => z.array(schemaSchema).safeParse(list).data ?? []);
}

/** A schema in a few words: `string`, `integer 1 to 365`, `"read" or "write"`, `list of string`. */
function typeText(schema: Schema): string {
  const options = z.array(z.unknown()).safeParse(schema.enum).data;
  if (options) return options.map((option) => JSON.stringify(option)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const variants = variantsOf(schema);
  if (variants.length > 0) return [...new Set(variants.map(typeText))].join(" or ");
  if (schema.type === "array") return `list of ${typeText(schemaSchema.safeParse(schema.items).data ?? {})}`;
  const reference = textIn(schema, "$ref");
  if (reference !== "") return reference.slice(reference.lastIndexOf("/") + 1);
  return `${textIn(schema, "type") || "anything"}${rangeText(schema)}`;
}

function rangeText(schema: Schema): string {
  const { minimum, maximum, maxLength } = schema;
  if (typeof minimum === "number" && typeof maximum === "number" && maximum < 1e12) return ` ${minimum} to ${maximum}`;
  return typeof maxLength === "number" ? ` up to ${maxLength} characters` : "";
}

function textIn(schema: Schema | undefined, name: string): string {
  const value = schema?.[name];
  return typeof value === "string" ? value : "";
}
