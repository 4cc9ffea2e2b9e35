import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Secret } from "@/server/vault/secret";

test("a secret is not printed by accident", () => {
  const secret = new Secret("hunter2-hunter2");
  const cause = new Error("x", { cause: secret });
  const printed = [
    String(secret),
    `${secret}`,
    [secret].join(),
    JSON.stringify({ secret }),
    JSON.stringify(structuredClone(secret)),
    JSON.stringify(Object.getOwnPropertyDescriptors(secret)),
    Object.entries(secret).join(),
    inspect(secret),
    inspect({ a: [secret] }, { depth: 9, showHidden: true }),
    inspect(cause, { showHidden: true }),
  ];
  expect(printed.filter((line) => line.includes("hunter2"))).toEqual([]);
  expect(secret.expose()).toBe("hunter2-hunter2");
});
