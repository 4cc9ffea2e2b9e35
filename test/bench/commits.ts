import pg from "pg";
import type { Figures } from "./load";

/** Bare single-row inserts, each a commit of its own that waits for the disk: what the machine gives at best. Milliseconds. */
export async function bareCommits(ownerUrl: string, connections: number, seconds: number): Promise<Figures> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: connections });
  await pool.query("CREATE SCHEMA IF NOT EXISTS bench");
  await pool.query("CREATE TABLE IF NOT EXISTS bench.row (id bigserial PRIMARY KEY, body text NOT NULL)");
  const latencies: number[] = [];
  const until = performance.now() + seconds * 1000;
  const worker = async () => {
    while (performance.now() < until) {
      const started = performance.now();
      await pool.query({
        name: "bare",
        text: "INSERT INTO bench.row (body) VALUES ($1)",
        values: ["a row about this long"],
      });
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  await pool.end();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: Math.round(latencies.length / seconds), p50: at(0.5), p95: at(0.95), p99: at(0.99), failed: 0 };
}
