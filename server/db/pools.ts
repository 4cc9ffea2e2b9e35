import pg from "pg";
import { env } from "@/server/env";
import { log } from "@/server/log";

// int8 stays text on raw connections: money and versions never pass through a float.
const CONNECTION_TIMEOUT_MS = 15_000;
const STATEMENT_TIMEOUT_MS = 15_000;

type Pools = { readonly app: pg.Pool; readonly system: pg.Pool };
const shared = globalThis as { countersignPools?: Pools };

function open(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: "countersign",
  });
  pool.on("error", () => log.warn({}, "an idle database connection was lost"));
  // One that breaks between two queries fails the next; without a listener it would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** One pool a role and process, shared by the bundles that Next makes of the same code. */
function pools(): Pools {
  shared.countersignPools ??= {
    app: open(env().APP_DATABASE_URL, 16),
    system: open(env().SYSTEM_DATABASE_URL, 4),
  };
  return shared.countersignPools;
}

/** Connections of the application role. Unscoped: only files in server/db may use it. */
export const appPool = (): pg.Pool => pools().app;

/** Connections of the system role, which sees ids and due times only. */
export const systemPool = (): pg.Pool => pools().system;

/** Closes what this process opened. */
export async function closePools(): Promise<void> {
  const open = shared.countersignPools;
  delete shared.countersignPools;
  if (open) await Promise.all([open.app.end(), open.system.end()]);
}
