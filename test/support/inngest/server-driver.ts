import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { answer, type FetchHandler } from "@/server/http/node-adapter";
import { conformanceApp } from "@/test/support/inngest/conformance-app";
import type { Driver, RunView } from "@/test/support/inngest/driver";
import { TEST_KEYS } from "@/test/support/inngest/test-client";

/**
 * The same scenarios on a real Inngest server, in real time: an hour takes two seconds. Start a server with the test
 * keys and name it:
 *
 *   inngest start --event-key test-event-key --signing-key 0123456789abcdef0123456789abcdef --retry-interval 1
 *   INNGEST_BASE_URL=http://127.0.0.1:8288 npx vitest run --project db test/db/inngest/conformance.test.ts
 *
 * The server must be able to reach 127.0.0.1 of this process.
 */
const HOUR_S = 2;
const SETTLE_MS = 1_500;
const BODY_LIMIT = 8 * 1_048_576;

const runsSchema = z.object({
  data: z.array(
    z.object({
      status: z
        .enum(["Running", "Completed", "Failed", "Cancelled"])
        .transform((s) => s.toLowerCase() as RunView["status"]),
      output: z.unknown().optional(),
    }),
  ),
});

/** Serves a handler on a free port, and answers where. */
async function serveOn(handler: FetchHandler) {
  const closing = new AbortController();
  let origin = "";
  const onFailure = () => new Response("failed", { status: 500 });
  const server = createServer((incoming, outgoing) => {
    const mounted = { handler, origin, bodyLimit: BODY_LIMIT, closing: closing.signal, onFailure };
    void answer(incoming, outgoing, mounted);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, close: () => server.close() };
}

/** The conformance functions on the server at `baseUrl`. */
export async function serverDriver(baseUrl: string): Promise<Driver & { close(): void }> {
  const trace: string[] = [];
  const app = conformanceApp({ hourS: HOUR_S, trace });
  const served = await serveOn(app.handler);
  const synced = await fetch(`${served.origin}/api/inngest`, { method: "PUT" });
  if (!synced.ok) throw new Error(`the server did not take the functions: ${synced.status}`);
  const key = createHash("sha256")
    .update(TEST_KEYS.signingKey.replace(/^signkey-\w+-/, ""), "hex")
    .digest("hex");
  return {
    trace,
    send: async (name, data = {}, extra = {}) => (await app.client.send({ name, data, ...extra })).ids[0] ?? "",
    settle: () => pause(SETTLE_MS),
    pass: (hours) => pause(hours * HOUR_S * 1_000 + SETTLE_MS),
    inHours: (hours) => Date.now() + hours * HOUR_S * 1_000,
    runsOf: async (eventId) => {
      const headers = { authorization: `Bearer ${key}` };
      const found = await fetch(new URL(`/v1/events/${eventId}/runs`, baseUrl), { headers });
      return runsSchema.parse(await found.json()).data.map(({ status, output }) => ({ status, output }));
    },
    close: served.close,
  };
}
