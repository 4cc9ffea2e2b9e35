import { expect } from "vitest";
import { runOf, type Scenario } from "@/test/support/inngest/driver";

export const VARIOUS: readonly Scenario[] = [
  [
    "invoke answers with what the other function returns",
    async (driver) => {
      const id = await driver.send("parent/start", { n: 21 });
      await driver.settle();
      expect((await runOf(driver, id)).output).toBe(42);
    },
  ],
  [
    "invoke throws what the other function failed with",
    async (driver) => {
      const id = await driver.send("parent/start", { n: -1 });
      await driver.settle();
      expect((await runOf(driver, id)).output).toBe("child failed: Error");
    },
  ],
  [
    "invoke throws when its time is up",
    async (driver) => {
      const id = await driver.send("parent/start", { n: 0 });
      await driver.pass(3);
      expect(await runOf(driver, id)).toMatchObject({
        status: "completed",
        output: "child failed: InngestInvokeTimeout",
      });
    },
  ],
  [
    "one event id starts a function once",
    async (driver) => {
      for (let round = 0; round < 3; round += 1) await driver.send("filter/start", { kind: "b" }, { id: "the-same" });
      await driver.settle();
      expect(driver.trace).toEqual(["f b"]);
    },
  ],
  [
    "a trigger's condition decides whether a run starts",
    async (driver) => {
      await driver.send("filter/start", { kind: "a" });
      await driver.send("filter/start", { kind: "b" });
      await driver.settle();
      expect(driver.trace).toEqual(["f b"]);
    },
  ],
  [
    "one step id used in a loop is a step each time",
    async (driver) => {
      const id = await driver.send("loop/start");
      await driver.settle();
      expect((await runOf(driver, id)).output).toBe(5);
    },
  ],
  [
    "outputs come back as they were, with their order of keys",
    async (driver) => {
      const id = await driver.send("outputs/start");
      await driver.settle();
      const odd = { data: "é\u0000\u{1F600}", error: null, z: 1, a: [] };
      expect((await runOf(driver, id)).output).toEqual({ nothing: null, odd, same: ["data", "error", "z", "a"] });
    },
  ],
  [
    "an event dated in the future starts its run then",
    async (driver) => {
      await driver.send("dated/start", {}, { ts: Math.round(driver.inHours(2)) });
      await driver.pass(1);
      expect(driver.trace).toEqual([]);
      await driver.pass(2);
      expect(driver.trace).toEqual(["dated"]);
    },
  ],
];
