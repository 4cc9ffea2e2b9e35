import type { Kit } from "@/test/support/inngest/test-client";

export const various = ({ client, log, hours }: Kit) => {
  const child = client.createFunction(
    { id: "child", triggers: { event: "child/start" }, retries: 0 },
    async ({ event, step }) => {
      if (event.data.n < 0) throw new Error("negative");
      if (event.data.n === 0) await step.sleep("long", hours(9));
      return await step.run("double", () => event.data.n * 2);
    },
  );
  return [
    child,
    client.createFunction({ id: "parent", triggers: { event: "parent/start" } }, async ({ event, step }) => {
      try {
        return await step.invoke("child", { function: child, data: { n: event.data.n }, timeout: hours(2) });
      } catch (error) {
        return `child failed: ${error instanceof Error ? error.name : ""}`;
      }
    }),
    client.createFunction(
      { id: "filtered", triggers: { event: "filter/start", if: 'event.data.kind == "b"' } },
      async ({ event }) => {
        log(`f ${event.data.kind}`);
      },
    ),
    client.createFunction({ id: "loop", triggers: { event: "loop/start" } }, async ({ step }) => {
      let total = 0;
      for (let round = 0; round < 5; round += 1) total += await step.run("again", () => 1);
      return total;
    }),
    client.createFunction({ id: "outputs", triggers: { event: "outputs/start" } }, async ({ step }) => {
      const nothing = await step.run("nothing", () => undefined);
      const odd = await step.run("odd", () => ({ data: "é\u0000\u{1F600}", error: null, z: 1, a: [] }));
      return { nothing, odd, same: Object.keys(odd) };
    }),
    client.createFunction({ id: "dated", triggers: { event: "dated/start" } }, async () => log("dated")),
  ];
};
