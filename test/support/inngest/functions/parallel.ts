import type { Kit } from "@/test/support/inngest/test-client";

export const parallel = ({ client, log, hours }: Kit) => [
  client.createFunction({ id: "fan", triggers: { event: "fan/start" } }, async ({ event, step }) => {
    const names = Array.from({ length: event.data.count }, (_, index) => `s${index}`);
    const done = await Promise.all(
      names.map((name) =>
        step.run(name, () => {
          log(name);
          return name;
        }),
      ),
    );
    return await step.run("sum", () => done.join(","));
  }),
  client.createFunction(
    { id: "partly", triggers: { event: "partly/start" }, retries: 1 },
    async ({ step, attempt }) => {
      const both = await Promise.allSettled([
        step.run("good", () => "good"),
        step.run("bad", () => {
          log(`bad${attempt}`);
          throw new Error("bad");
        }),
      ]);
      return both.map((one) => one.status);
    },
  ),
  client.createFunction({ id: "race", triggers: { event: "race/start" } }, async ({ step, group }) => {
    const won = await group.parallel({ mode: "race" }, () =>
      Promise.race([
        step.waitForEvent("w", { event: "race/go", timeout: hours(4) }).then((event) => `event ${event?.data.x}`),
        step.sleep("s", hours(1)).then(() => "slept"),
      ]),
    );
    await step.run("after", () => log(`after ${won}`));
    return won;
  }),
  client.createFunction({ id: "plain-race", triggers: { event: "plain-race/start" } }, async ({ step }) => {
    const won = await Promise.race([
      step.waitForEvent("w", { event: "race/go", timeout: hours(4) }).then((event) => `event ${event?.data.x}`),
      step.sleep("s", hours(1)).then(() => "slept"),
    ]);
    await step.run("after", () => log(`after ${won}`));
    return won;
  }),
  client.createFunction({ id: "branches", triggers: { event: "branches/start" } }, async ({ step }) => {
    const waitingBranch = async () => {
      await step.waitForEvent("w", { event: "branches/go", timeout: hours(4) });
      await step.run("x", () => log("x"));
    };
    const workingBranch = async () => {
      await step.run("y", () => log("y"));
      await step.run("z", () => log("z"));
    };
    await Promise.all([waitingBranch(), workingBranch()]);
  }),
  client.createFunction(
    { id: "limited", triggers: { event: "limited/start" }, concurrency: { limit: 1, key: "event.data.user" } },
    ({ event, step }) =>
      step.run("w", async () => {
        log(`in ${event.data.user}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        log(`out ${event.data.user}`);
      }),
  ),
];
