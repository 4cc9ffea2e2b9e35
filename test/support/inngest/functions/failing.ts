import { NonRetriableError, RetryAfterError } from "inngest";
import type { Kit } from "@/test/support/inngest/test-client";

export const failing = ({ client, log, hours }: Kit) => [
  client.createFunction({ id: "flaky", triggers: { event: "flaky/start" }, retries: 3 }, ({ event, step, attempt }) =>
    step.run("f", () => {
      log(`try${attempt}`);
      if (attempt < event.data.fails) throw new Error(`boom ${attempt}`);
      return "ok";
    }),
  ),
  client.createFunction(
    { id: "second", triggers: { event: "second/start" }, retries: 2 },
    async ({ step, attempt }) => {
      await step.run("first", () => log("first"));
      const result = await step.run("then", () => {
        log(`then${attempt}`);
        if (attempt === 0) throw new Error("once");
        return attempt;
      });
      await step.run("last", () => log("last"));
      return result;
    },
  ),
  client.createFunction({ id: "caught", triggers: { event: "caught/start" }, retries: 0 }, async ({ step }) => {
    try {
      return await step.run("f", () => {
        throw new TypeError("bad");
      });
    } catch (error) {
      return error instanceof Error ? `${error.name}:${error.message}` : "not an error";
    }
  }),
  client.createFunction(
    {
      id: "fatal",
      triggers: { event: "fatal/start" },
      retries: 5,
      onFailure: async ({ error, event, step }) => {
        await step.run("report", () => log(`failed:${error.message}:${event.data.event.data.n}`));
      },
    },
    async ({ step }) => {
      await step.run("x", () => {
        log("x");
        throw new NonRetriableError("never");
      });
    },
  ),
  client.createFunction({ id: "outside", triggers: { event: "outside/start" }, retries: 1 }, async () => {
    log("top");
    throw new Error("outside a step");
  }),
  client.createFunction({ id: "later", triggers: { event: "later/start" }, retries: 2 }, ({ step, attempt }) =>
    step.run("f", () => {
      log(`at${attempt}`);
      if (attempt === 0) throw new RetryAfterError("busy", hours(2));
      return attempt;
    }),
  ),
];
