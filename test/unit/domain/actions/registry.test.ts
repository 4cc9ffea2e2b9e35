import { expect, test } from "vitest";
import { z } from "zod";
import { defineAction } from "@/server/domain/action";
import { httpRequest } from "@/server/domain/actions/http-request";
import { findAction, listActions, registerAction } from "@/server/domain/actions/registry";

const spec = {
  name: "test.act",
  provider: "test",
  summary: "",
  capability: "test",
  revision: 1,
  risk: "low",
  undo: null,
  price: { micros: 5n, currency: "USD" },
  honoursIdempotencyKey: false,
  input: z.strictObject({ a: z.string().max(5) }),
  allowList: z.strictObject({}),
  effect: () => "read",
  irreversible: () => false,
  outward: () => false,
  targets: () => [],
  refuse: () => null,
} as const satisfies Parameters<typeof defineAction>[0];

test("the list holds the two real actions and nothing without effect", () => {
  expect(listActions().map((action) => action.name)).toEqual(["email.send", "http.request"]);
  expect(findAction("bench.noop")).toBeNull();
  expect(findAction("__proto__")).toBeNull();
});

test("a name is taken once", () => {
  expect(() => registerAction(httpRequest)).toThrow();
});

test("the definition text changes with every property and with the schema, and is stable otherwise", () => {
  const text = defineAction(spec).definitionText();
  expect(defineAction({ ...spec }).definitionText()).toBe(text);
  const changed = [
    { ...spec, name: "test.other" },
    { ...spec, risk: "high" as const },
    { ...spec, revision: 2 },
    { ...spec, price: { micros: 6n, currency: "USD" } },
    { ...spec, price: null },
    { ...spec, undo: { defaultS: 1, minS: 1, maxS: 2 } },
    { ...spec, honoursIdempotencyKey: true },
    { ...spec, input: z.strictObject({ a: z.string().max(6) }) },
  ].map((other) => defineAction(other).definitionText());
  expect(new Set([text, ...changed]).size).toBe(changed.length + 1);
});
