import { expect } from "vitest";
import { runOf, type Scenario, statusAndOutput } from "@/test/support/inngest/driver";

export const FAILING: readonly Scenario[] = [
  [
    "a step that throws is tried again until it succeeds",
    async (driver) => {
      const id = await driver.send("flaky/start", { fails: 2 });
      await driver.settle();
      expect(driver.trace).toEqual(["try0"]);
      await driver.pass(2);
      expect(driver.trace).toEqual(["try0", "try1", "try2"]);
      expect(await statusAndOutput(driver, id)).toEqual(["completed", "ok"]);
    },
  ],
  [
    "when its retries are spent the run fails with the error of the step",
    async (driver) => {
      const id = await driver.send("flaky/start", { fails: 9 });
      await driver.pass(4);
      expect(driver.trace).toEqual(["try0", "try1", "try2", "try3"]);
      expect(await runOf(driver, id)).toMatchObject({ status: "failed", output: { message: "boom 3" } });
    },
  ],
  [
    "the attempts of one step do not count for the next, nor are finished steps run again",
    async (driver) => {
      const id = await driver.send("second/start");
      await driver.pass(2);
      expect(driver.trace).toEqual(["first", "then0", "then1", "last"]);
      expect((await runOf(driver, id)).output).toBe(1);
    },
  ],
  [
    "the function may catch the error of a step",
    async (driver) => {
      const id = await driver.send("caught/start");
      await driver.pass(1);
      expect(await statusAndOutput(driver, id)).toEqual(["completed", "TypeError:bad"]);
    },
  ],
  [
    "NonRetriableError fails the run at once, and onFailure gets the error and the event",
    async (driver) => {
      const id = await driver.send("fatal/start", { n: 5 });
      await driver.settle();
      expect(driver.trace).toEqual(["x", "failed:never:5"]);
      expect(await runOf(driver, id)).toMatchObject({ status: "failed", output: { message: "never" } });
    },
  ],
  [
    "an error outside of steps is tried again too",
    async (driver) => {
      const id = await driver.send("outside/start");
      await driver.pass(2);
      expect(driver.trace).toEqual(["top", "top"]);
      expect(await runOf(driver, id)).toMatchObject({ status: "failed", output: { message: "outside a step" } });
    },
  ],
  [
    "RetryAfterError sets the time of the next attempt",
    async (driver) => {
      await driver.send("later/start");
      await driver.pass(1.5);
      expect(driver.trace).toEqual(["at0"]);
      await driver.pass(1);
      expect(driver.trace).toEqual(["at0", "at1"]);
    },
  ],
];
