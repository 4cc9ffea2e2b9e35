import { expect } from "vitest";
import { runOf, type Scenario, statusAndOutput } from "@/test/support/inngest/driver";

export const WAITING: readonly Scenario[] = [
  [
    "a wait with a condition ends with the event that satisfies it, and no other",
    async (driver) => {
      const id = await driver.send("task/requested", { taskId: 7 });
      await driver.settle();
      await driver.send("task/decided", { approvalId: "ap_8", decision: "no" });
      await driver.settle();
      expect((await runOf(driver, id)).status).toBe("running");
      await driver.send("task/decided", { approvalId: "ap_7", decision: "yes", by: "ann" });
      await driver.settle();
      expect(await statusAndOutput(driver, id)).toEqual(["completed", { outcome: "yes", by: "ann" }]);
      expect(driver.trace).toEqual(["plan", "act"]);
    },
  ],
  [
    "a wait that nothing answers ends with null at its time-out",
    async (driver) => {
      const id = await driver.send("task/requested", { taskId: 7 });
      await driver.pass(1.5);
      expect(await statusAndOutput(driver, id)).toEqual(["completed", { outcome: "timeout" }]);
    },
  ],
  [
    "an event before the wait is lost",
    async (driver) => {
      await driver.send("task/decided", { approvalId: "ap_7", decision: "yes" });
      await driver.settle();
      const id = await driver.send("task/requested", { taskId: 7 });
      await driver.settle();
      expect((await runOf(driver, id)).status).toBe("running");
    },
  ],
  [
    "match compares the event that started the run with the one that arrives",
    async (driver) => {
      const id = await driver.send("match/start", { key: "k1" });
      await driver.settle();
      await driver.send("match/go", { key: "k2", v: 1 });
      await driver.settle();
      await driver.send("match/go", { key: "k1", v: 2 });
      await driver.settle();
      expect((await runOf(driver, id)).output).toEqual({ key: "k1", v: 2 });
    },
  ],
  [
    "match on an attribute that both events lack is true",
    async (driver) => {
      const id = await driver.send("match/start", {});
      await driver.settle();
      await driver.send("match/go", { v: 1 });
      await driver.settle();
      expect((await runOf(driver, id)).status).toBe("completed");
    },
  ],
  [
    "a wait beside the step that asks cannot miss the answer",
    async (driver) => {
      const id = await driver.send("ask/start", { id: "q1" });
      await driver.settle();
      expect((await runOf(driver, id)).output).toBe(42);
    },
  ],
  [
    "sleep and sleepUntil hold the run back until their time",
    async (driver) => {
      const id = await driver.send("sleep/start", { until: new Date(driver.inHours(4)).toISOString() });
      await driver.pass(1);
      expect(driver.trace).toEqual(["a"]);
      await driver.pass(2);
      expect(driver.trace).toEqual(["a", "b"]);
      await driver.pass(2);
      expect(driver.trace).toEqual(["a", "b", "c"]);
      expect(await statusAndOutput(driver, id)).toEqual(["completed", "rested"]);
    },
  ],
  [
    "cancelOn ends the run of its match and leaves the others",
    async (driver) => {
      const one = await driver.send("job/start", { job: 1 });
      const two = await driver.send("job/start", { job: 2 });
      await driver.settle();
      await driver.send("job/cancel", { job: 1 });
      await driver.pass(4);
      expect((await runOf(driver, one)).status).toBe("cancelled");
      expect((await runOf(driver, two)).status).toBe("completed");
      expect(driver.trace).toEqual(["begin", "begin", "end"]);
    },
  ],
];
