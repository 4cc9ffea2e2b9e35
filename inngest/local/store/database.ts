import { Client, Pool, type PoolClient } from "pg";

/** One transaction. `now` is when it began, in epoch ms, by the database's clock. */
export type Tx = {
  readonly now: number;
  readonly query: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** Runs a statement and answers how many rows it touched. */
  readonly run: (text: string, values?: readonly unknown[]) => Promise<number>;
};

export type Database = {
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  readonly notify: (channel: string) => Promise<void>;
  readonly listener: () => Client;
  readonly close: () => Promise<void>;
};

/** Replaces the database's clock, for tests alone. Answers epoch ms. */
export type Clock = () => number;

const TIMEOUT_MS = 15_000;
const CONNECTION = {
  application_name: "countersign-inngest",
  connectionTimeoutMillis: 10_000,
  statement_timeout: TIMEOUT_MS,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: TIMEOUT_MS,
} as const;
const ATTEMPTS = 5;
/** Serialization failure and deadlock: the database asks for the transaction again. */
const TRY_AGAIN = new Set(["40001", "40P01"]);

const BEGIN = "BEGIN; SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now";

type Multiple = readonly { readonly rows: readonly { readonly now?: number }[] }[];

async function begin(client: PoolClient, clock: Clock | undefined): Promise<number> {
  if (clock) {
    await client.query("BEGIN");
    return clock();
  }
  const results = (await client.query(BEGIN)) as unknown as Multiple;
  const now = results[1]?.rows[0]?.now;
  if (now === undefined) throw new Error("the database did not tell its time");
  return Math.floor(now);
}

const txOf = (client: PoolClient, now: number): Tx => ({
  now,
  query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
    (await client.query<Row>(text, [...values])).rows,
  run: async (text, values = []) => (await client.query(text, [...values])).rowCount ?? 0,
});

async function once<T>(pool: Pool, clock: Clock | undefined, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const tx = txOf(client, await begin(client, clock));
    const result = await work(tx);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

const mayRetry = (error: unknown): boolean =>
  error instanceof Error && "code" in error && TRY_AGAIN.has(String(error.code));

/** The engine's own connections, at most `max`. `url` is the system role's. */
export function openDatabase(options: { url: string; max: number; clock?: Clock }): Database {
  const pool = new Pool({ connectionString: options.url, max: options.max, ...CONNECTION });
  // A connection that breaks is replaced, and whoever uses it sees its query fail: no event need end the process.
  pool.on("error", () => {}).on("connect", (client) => client.on("error", () => {}));
  return {
    transaction: async (work) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(pool, options.clock, work);
        } catch (error) {
          if (attempt === ATTEMPTS || !mayRetry(error)) throw error;
        }
      }
    },
    notify: async (channel) => {
      await pool.query("SELECT pg_notify($1, '')", [channel]);
    },
    listener: () => new Client({ connectionString: options.url, ...CONNECTION, keepAlive: true }),
    close: () => pool.end(),
  };
}
