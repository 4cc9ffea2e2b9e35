import { z } from "zod";

export type JsonSchema = Record<string, unknown> & {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
};

/** Where shared parts of schemas are collected: `components.schemas` of the document. */
export type Shared = Record<string, unknown>;

/**
 * A zod schema as JSON Schema 2020-12, its definitions moved to `shared` under names that begin with `prefix`.
 * What JSON Schema cannot say is left open.
 */
export function schemaOf(schema: z.ZodType, io: "input" | "output", prefix: string, shared: Shared): JsonSchema {
  const whole = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema & {
    $defs?: Record<string, unknown>;
  };
  const { $schema: _, $defs = {}, ...rest } = whole;
  const rename = (name: string) => `${prefix}.${name}`;
  for (const [name, definition] of Object.entries($defs)) shared[rename(name)] = pointed(definition, rename);
  return pointed(rest, rename) as JsonSchema;
}

/** Turns references to a schema's own definitions into references to the document's. */
function pointed(node: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(node)) return node.map((item) => pointed(item, rename));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      const own = key === "$ref" && typeof value === "string" ? /^#\/\$defs\/(.+)$/.exec(value)?.[1] : undefined;
      return [key, own === undefined ? pointed(value, rename) : `#/components/schemas/${rename(own)}`];
    }),
  );
}

/** An object schema without some of its fields. */
export function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0) return schema;
  const { properties = {}, required = [], ...rest } = schema;
  const left = required.filter((name) => !names.includes(name));
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    ...(left.length === 0 ? {} : { required: left }),
  };
}
