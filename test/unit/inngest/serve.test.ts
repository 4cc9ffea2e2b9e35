import { expect, test } from "vitest";
import { inngest, requestReady } from "@/inngest/client";
import { serveHandler } from "@/inngest/serve";

const handler = serveHandler([
  inngest.createFunction({ id: "released", triggers: [requestReady] }, async () => "forged"),
]);

const call = (method: string, query: string, init: RequestInit = {}) =>
  handler(
    new Request(`http://app.example/api/inngest${query}`, {
      method,
      ...init,
      headers: { host: "app.example", ...init.headers },
    }),
  );

test("whoever cannot sign runs nothing, registers nothing and learns nothing", async () => {
  const body = JSON.stringify({ event: { name: "x", data: {} }, events: [], steps: {}, ctx: { run_id: "r" } });
  const inBand = {
    headers: { "x-inngest-sync-kind": "in_band" },
    body: JSON.stringify({ url: "http://evil.example" }),
  };
  const answers = await Promise.all([
    call("POST", "?fnId=countersign-released&stepId=step", { body }),
    call("POST", "?fnId=countersign-released&stepId=step", { body, headers: { "x-inngest-signature": "t=1&s=00" } }),
    call("POST", "?fnId=countersign-released&stepId=step&probe=trust", { body }),
    call("PUT", ""),
    call("PUT", "", inBand),
    call("GET", ""),
  ]);
  expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401, 401, 401]);
  for (const answer of answers) expect(await answer.text()).not.toContain("released");
});
