import { describe, expect, test } from "vitest";
import { runError } from "@/inngest/local/failure";
import { newId, seededId } from "@/inngest/local/ids";
import { readFunctions } from "@/inngest/local/registration/check";
import { operationsSchema, refusedFeature } from "@/inngest/local/sdk/operations";
import { signature } from "@/inngest/local/sdk/sign";
import { appOf, TEST_KEYS } from "@/test/support/inngest/test-client";

describe("signatures", () => {
  const { handler } = appOf(fetch, (client) => [
    client.createFunction({ id: "f", triggers: { event: "x" } }, async () => "done"),
  ]);
  const body = {
    event: { name: "x", data: { b: 1, a: "é" } },
    events: [],
    steps: {},
    ctx: { run_id: "r", attempt: 0 },
  };
  const call = (signed: string | undefined, sent: unknown = body) =>
    handler(
      new Request("http://app.local/api/inngest?fnId=app-f&stepId=step", {
        method: "POST",
        body: JSON.stringify(sent),
        headers: { host: "app.local", ...(signed ? { "x-inngest-signature": signed } : {}) },
      }),
    );
  const nowS = () => Math.floor(Date.now() / 1_000);

  test("are those that the SDK accepts", async () => {
    const answer = await call(signature(body, TEST_KEYS.signingKey, nowS()));
    expect([answer.status, await answer.json()]).toEqual([200, "done"]);
  });

  test("of another key, another body or another time are refused, and so is none", async () => {
    const good = signature(body, TEST_KEYS.signingKey, nowS());
    const otherKey = signature(body, "signkey-test-00", nowS());
    const old = signature(body, TEST_KEYS.signingKey, nowS() - 3_600);
    const answers = [await call(undefined), await call(otherKey), await call(old), await call(good, { ...body, x: 1 })];
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401]);
  });
});

describe("event ids from a seed", () => {
  const seed = "1743130137367,eii2YKXRVTJPuA==";

  test("are the same for the same place and differ between places", () => {
    expect(seededId(seed, 1)).toBe(seededId(seed, 1));
    expect(seededId(seed, 1)).not.toBe(seededId(seed, 2));
    expect(seededId(seed, 1)).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test.each([null, "", "x,y", "1743130137367,", "1743130137367,eii2", ",eii2YKXRVTJPuA=="])("%s gives none", (text) => {
    expect(seededId(text, 1)).toBeUndefined();
  });
});

test("new ids grow, within one millisecond too", () => {
  const ids = Array.from({ length: 1_000 }, () => newId(1_800_000_000_000));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test("an error keeps its name and message in every form in which it arrives", () => {
  expect(runError(new TypeError("bad"))).toMatchObject({ name: "TypeError", message: "bad", error: "bad" });
  expect(runError({ name: "X", message: "m", stack: "s" })).toMatchObject({ name: "X", message: "m", stack: "s" });
  expect(runError({ error: "text" })).toMatchObject({ name: "Error", message: "text" });
  for (const odd of [null, undefined, 3, "text", [], { message: 4 }]) {
    expect(runError(odd)).toMatchObject({ name: "Error", message: "Function execution error" });
  }
});

test("operations are a list or one alone, and nothing else", () => {
  const one = { id: "a", op: "StepRun", data: 1 };
  expect(operationsSchema.parse(one)).toHaveLength(1);
  expect(operationsSchema.parse([one, one])).toHaveLength(2);
  for (const odd of [[], null, {}, [{ id: "a" }], { id: "", op: "x" }]) {
    expect(operationsSchema.safeParse(odd).success).toBe(false);
  }
});

test.each([
  [{ op: "AIGateway" }, "step.ai.infer"],
  [{ op: "Gateway" }, "step.fetch"],
  [{ op: "WaitForSignal" }, "step.waitForSignal"],
  [{ op: "DeferAdd" }, "defer"],
  [{ op: "StepRun", opts: { type: "step.realtime.publish" } }, "step.realtime.publish"],
  [{ op: "StepRun", opts: { type: "step.sendEvent" } }, undefined],
  [{ op: "StepRun" }, undefined],
])("the feature behind %j is %s", (operation, feature) => {
  expect(refusedFeature({ id: "x", ...operation })).toBe(feature);
});

test("an option that nobody has heard of is refused", () => {
  const config = { id: "app-f", name: "f", triggers: [{ event: "x" }], steps: { step: {} }, warp: { speed: 9 } };
  expect(() => readFunctions([config])).toThrow("option warp is not supported by the local engine");
});
