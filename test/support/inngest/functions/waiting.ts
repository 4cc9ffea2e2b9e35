import type { Kit } from "@/test/support/inngest/test-client";

export const waiting = ({ client, log, hours }: Kit) => [
  client.createFunction({ id: "approval", triggers: { event: "task/requested" } }, async ({ event, step }) => {
    const plan = await step.run("plan", () => {
      log("plan");
      return { approvalId: `ap_${event.data.taskId}` };
    });
    const condition = `async.data.approvalId == "${plan.approvalId}"`;
    const decision = await step.waitForEvent("wait", { event: "task/decided", timeout: hours(1), if: condition });
    if (!decision) return { outcome: "timeout" };
    await step.run("act", () => log("act"));
    return { outcome: decision.data.decision, by: decision.data.by };
  }),
  client.createFunction({ id: "match", triggers: { event: "match/start" } }, async ({ step }) => {
    const found = await step.waitForEvent("w", { event: "match/go", timeout: hours(1), match: "data.key" });
    return found?.data ?? null;
  }),
  client.createFunction({ id: "ask", triggers: { event: "ask/start" } }, async ({ event, step }) => {
    const [answer] = await Promise.all([
      step.waitForEvent("w", { event: "ask/answered", timeout: hours(1), match: "data.id" }),
      step.sendEvent("ask", { name: "ask/asked", data: { id: event.data.id } }),
    ]);
    return answer?.data.answer ?? "timeout";
  }),
  client.createFunction({ id: "answer", triggers: { event: "ask/asked" } }, async ({ event, step }) => {
    await step.sendEvent("answer", { name: "ask/answered", data: { id: event.data.id, answer: 42 } });
  }),
  client.createFunction({ id: "sleeper", triggers: { event: "sleep/start" } }, async ({ event, step }) => {
    await step.run("a", () => log("a"));
    await step.sleep("nap", hours(2));
    await step.run("b", () => log("b"));
    await step.sleepUntil("till", event.data.until as string);
    await step.run("c", () => log("c"));
    return "rested";
  }),
  client.createFunction(
    { id: "cancellable", triggers: { event: "job/start" }, cancelOn: [{ event: "job/cancel", match: "data.job" }] },
    async ({ step }) => {
      await step.run("begin", () => log("begin"));
      await step.sleep("long", hours(3));
      await step.run("end", () => log("end"));
    },
  ),
];
