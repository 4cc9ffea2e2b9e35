import autocannon from "autocannon";
import type { Caller } from "./seed";

export type Figures = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly failed: number;
};

const body = (connection: string) =>
  JSON.stringify({ action: "bench.noop", connection, arguments: { text: "what an agent would say, about this long" } });

/** Calls `POST /api/v1/tool-requests` for `seconds` from `connections` at once, one caller after the other. Milliseconds. */
export async function load(
  url: string,
  callers: readonly Caller[],
  connections: number,
  seconds: number,
): Promise<Figures> {
  const requests = callers.map(({ key, connection }) => ({
    method: "POST" as const,
    path: "/api/v1/tool-requests",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: body(connection),
  }));
  let next = 0;
  return run({
    url,
    connections,
    duration: seconds,
    // Each connection is one caller's, so that 16 connections are 16 agents at once.
    setupClient: (client) => client.setRequests([requests[next++ % requests.length] ?? {}]),
  });
}

export const echo = (url: string, connections: number, seconds: number): Promise<Figures> =>
  run({
    url,
    connections,
    duration: seconds,
    method: "POST",
    body: body("con_echo"),
    headers: { "content-type": "application/json" },
  });

async function run(options: autocannon.Options): Promise<Figures> {
  const latencies: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error: Error | null, done) => (error ? reject(error) : resolve(done)));
    instance.on("response", (_client, _status, _bytes, ms) => latencies.push(ms));
  });
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    perSecond: Math.round(result["2xx"] / result.duration),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    failed: result.non2xx + result.errors + result.timeouts,
  };
}
