import type { AnyTRPCProcedure } from "@trpc/server";
import { z } from "zod";
import type { HttpMethod, ProcedureMeta } from "@/server/trpc/meta";
import { appRouter } from "@/server/trpc/root";

export type FieldType = "text" | "number" | "flag" | "list";

/** One procedure as /api/v1 serves it. */
export type Route = ProcedureMeta & {
  /** Such as `approvals.decide`: unique, and the operation's id in OpenAPI. */
  readonly name: string;
  readonly segments: readonly string[];
  /** What a query string may hold, and how its text is read. */
  readonly fields: ReadonlyMap<string, FieldType>;
};

/** The methods of one path. */
type Place = { readonly segments: readonly string[]; readonly methods: Map<HttpMethod, Route> };

type Found = { readonly params: Readonly<Record<string, string>>; readonly methods: ReadonlyMap<HttpMethod, Route> };

const isParam = (segment: string) => segment.startsWith("{");
const nameOfParam = (segment: string) => segment.slice(1, -1);

type Schema = {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Record<string, Schema>;
};

const TYPES: Readonly<Record<string, FieldType>> = {
  integer: "number",
  number: "number",
  boolean: "flag",
  array: "list",
};

function fieldType(schema: Schema): FieldType {
  const types = [schema, ...(schema.anyOf ?? [])].map(({ type }) => TYPES[type ?? ""]);
  return types.find((type) => type !== undefined) ?? "text";
}

function fieldsOf(input: z.ZodType): ReadonlyMap<string, FieldType> {
  const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as Schema;
  return new Map(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, fieldType(field)]));
}

function routeOf(name: string, procedure: AnyTRPCProcedure): Route {
  const meta = procedure._def.meta as ProcedureMeta | undefined;
  if (meta === undefined) throw new Error(`${name} is not made by procedureOf`);
  const segments = meta.http.path.split("/").slice(1);
  const fields = fieldsOf(meta.command.input);
  for (const param of segments.filter(isParam).map(nameOfParam)) {
    if (!fields.has(param)) throw new Error(`${name} has no input field ${param}`);
  }
  return { ...meta, name, segments, fields };
}

/** Every procedure of the router with its route. Throws Error for one that cannot be served: found at the first call. */
export function listRoutes(): readonly Route[] {
  const procedures = appRouter._def.procedures as unknown as Readonly<Record<string, AnyTRPCProcedure>>;
  return Object.entries(procedures).map(([name, procedure]) => routeOf(name, procedure));
}

/** A fixed word beats a parameter in the same place. */
const order = (a: Place, b: Place) =>
  a.segments.map(isParam).map(Number).join("").localeCompare(b.segments.map(isParam).map(Number).join(""));

function placesOf(routes: readonly Route[]): ReadonlyMap<number, readonly Place[]> {
  const places = new Map<string, Place>();
  for (const route of routes) {
    const shape = route.segments.map((segment) => (isParam(segment) ? "{}" : segment)).join("/");
    const place = places.get(shape) ?? { segments: route.segments, methods: new Map() };
    if (place.methods.has(route.http.method)) throw new Error(`${route.http.method} /${shape} is served twice`);
    place.methods.set(route.http.method, route);
    places.set(shape, place);
  }
  const byLength = new Map<number, Place[]>();
  for (const place of [...places.values()].sort(order)) {
    const { length } = place.segments;
    byLength.set(length, [...(byLength.get(length) ?? []), place]);
  }
  return byLength;
}

function paramsOf(place: Place, segments: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [at, wanted] of place.segments.entries()) {
    const given = segments[at] ?? "";
    if (!isParam(wanted)) {
      if (wanted !== given) return null;
    } else if (given === "") {
      return null;
    } else {
      params[nameOfParam(wanted)] = given;
    }
  }
  return params;
}

let table: ReturnType<typeof placesOf> | undefined;

/** What is served at a path below /api/v1, such as `/agents/agt_1`; null when nothing is. */
export function findRoute(path: string): Found | null {
  table ??= placesOf(listRoutes());
  const segments = decoded(path);
  for (const place of (segments && table.get(segments.length)) ?? []) {
    const params = paramsOf(place, segments ?? []);
    if (params) return { params, methods: place.methods };
  }
  return null;
}

function decoded(path: string): string[] | null {
  try {
    return path.split("/").slice(1).map(decodeURIComponent);
  } catch {
    return null;
  }
}
