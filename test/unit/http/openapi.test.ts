import { describe, expect, it } from "vitest";
import { openApiDocument } from "@/server/http/openapi";
import { listRoutes } from "@/server/http/routes";

type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: {
    content: { "application/json": { schema: { properties?: object; additionalProperties?: unknown } } };
  };
  responses: Record<string, unknown>;
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object; responses: object; securitySchemes: object };
};

const document = JSON.parse(JSON.stringify(openApiDocument())) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

function* references(node: unknown): Generator<string> {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === "$ref") yield String(value);
    else yield* references(value);
  }
}

describe("the OpenAPI document", () => {
  it("describes every procedure once, under the path and method that serve it", () => {
    expect(document.openapi).toBe("3.1.0");
    const described = operations.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`);
    const served = listRoutes().map(({ name, http }) => `${name} ${http.method.toLowerCase()} ${http.path}`);
    expect(described.sort()).toEqual(served.sort());
  });

  it("says for every operation who may call it, what it takes and what it answers", () => {
    for (const { path, method, operation } of operations) {
      const name = operation.operationId;
      expect(operation.summary, name).not.toBe("");
      expect(operation.tags, name).toHaveLength(1);
      expect(operation.security.length, name).toBeGreaterThan(0);
      expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(["401", "403", "422", "429"]));
      expect(
        Object.keys(operation.responses).some((status) => status.startsWith("2")),
        name,
      ).toBe(true);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
      expect(
        declared.map((parameter) => parameter.name),
        name,
      ).toEqual(inPath);
      expect(
        declared.every(({ required }) => required),
        name,
      ).toBe(true);
      const takesBody = !["get", "delete"].includes(method);
      expect(operation.requestBody !== undefined, name).toBe(takesBody);
    }
  });

  it("describes the answer of every operation but of downloads", () => {
    for (const { http, name } of listRoutes())
      expect(http.output !== undefined || http.isDownload === true, name).toBe(true);
  });

  it("refers to nothing that is not in it", () => {
    for (const reference of new Set(references(document))) {
      const found = reference
        .slice(2)
        .split("/")
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
      expect(found, reference).toBeDefined();
    }
  });

  it("names for tokens the scope that each operation needs, and none where no token may", () => {
    const securityOf = (id: string) =>
      operations.find(({ operation }) => operation.operationId === id)?.operation.security;
    expect(securityOf("approvals.decide")).toEqual([{ personalToken: ["decide"] }, { cookie: [] }]);
    expect(securityOf("tokens.create")).toEqual([{ cookie: [] }]);
    expect(securityOf("toolRequests.submit")).toEqual([{ agentKey: [] }]);
    expect(securityOf("me.get")).toEqual([{ agentKey: [] }, { personalToken: ["read"] }, { cookie: [] }]);
  });

  it("shows the statuses of a tool request", () => {
    const submit = operations.find(({ operation }) => operation.operationId === "toolRequests.submit");
    expect(Object.keys(submit?.operation.responses ?? {})).toEqual(
      expect.arrayContaining(["200", "202", "403", "409", "422", "429"]),
    );
  });
});
