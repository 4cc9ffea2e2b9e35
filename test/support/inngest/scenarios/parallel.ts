import { expect } from "vitest";
import { runOf, type Scenario, statusAndOutput } from "@/test/support/inngest/driver";

export const PARALLEL: readonly Scenario[] = [
  [
    "parallel steps run once each and the function goes on with all their results",
    async (driver) => {
      const id = await driver.send("fan/start", { count: 12 });
      await driver.settle();
      expect((await runOf(driver, id)).output).toBe(Array.from({ length: 12 }, (_, index) => `s${index}`).join(","));
      expect(driver.trace).toHaveLength(12);
    },
  ],
  [
    "a parallel step that fails does not undo its sibling",
    async (driver) => {
      const id = await driver.send("partly/start");
      await driver.pass(2);
      expect(await statusAndOutput(driver, id)).toEqual(["completed", ["fulfilled", "rejected"]]);
      expect(driver.trace).toEqual(["bad0", "bad1"]);
    },
  ],
  [
    "a race is won by the event that comes first",
    async (driver) => {
      const id = await driver.send("race/start");
      await driver.settle();
      await driver.send("race/go", { x: 1 });
      await driver.settle();
      expect(driver.trace).toEqual(["after event 1"]);
      await driver.pass(1.5);
      expect((await runOf(driver, id)).output).toBe("event 1");
    },
  ],
  [
    "a race is won by the sleep that ends first",
    async (driver) => {
      const id = await driver.send("race/start");
      await driver.pass(1.5);
      expect(driver.trace).toEqual(["after slept"]);
      await driver.pass(4);
      expect(await statusAndOutput(driver, id)).toEqual(["completed", "slept"]);
    },
  ],
  [
    "a plain Promise.race waits for the loser before it goes on",
    async (driver) => {
      const id = await driver.send("plain-race/start");
      await driver.settle();
      await driver.send("race/go", { x: 1 });
      await driver.settle();
      expect(driver.trace).toEqual([]);
      await driver.pass(1.5);
      expect(driver.trace).toEqual(["after event 1"]);
      expect((await runOf(driver, id)).output).toBe("event 1");
    },
  ],
  [
    "a branch that waits holds back the next step of its sibling",
    async (driver) => {
      await driver.send("branches/start");
      await driver.settle();
      expect(driver.trace).toEqual(["y"]);
      await driver.send("branches/go");
      await driver.settle();
      expect([...driver.trace].sort()).toEqual(["x", "y", "z"]);
    },
  ],
  [
    "a concurrency key lets one step of a user run at a time",
    async (driver) => {
      for (const user of ["u", "u", "v", "u"]) await driver.send("limited/start", { user });
      await driver.settle();
      const ofU = driver.trace.filter((entry) => entry.endsWith(" u"));
      expect(ofU).toEqual(["in u", "out u", "in u", "out u", "in u", "out u"]);
      expect(driver.trace).toHaveLength(8);
    },
  ],
];
