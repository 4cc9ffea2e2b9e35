import pg from "pg";
import { createEngine, type EngineOptions, type LocalEngine } from "@/inngest/local/engine";
import { conformanceApp } from "@/test/support/inngest/conformance-app";
import type { Driver, RunView } from "@/test/support/inngest/driver";
import { TEST_KEYS } from "@/test/support/inngest/test-client";

export const HOUR_MS = 3_600_000;

/** A clock that moves only when it is told to. It starts at a full hour. */
export class TestClock {
  now = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  read = (): number => this.now;
}

/** Does all that is due, again and again until nothing is. */
async function drain(engine: LocalEngine): Promise<void> {
  while ((await engine.runDue()) > 0);
}

/** Lets time pass, doing on the way what falls due. */
export async function advance(engine: LocalEngine, clock: TestClock, ms: number): Promise<void> {
  const end = clock.now + ms;
  for (;;) {
    await drain(engine);
    const due = await engine.nextDue();
    if (due === undefined || due > end) break;
    clock.now = Math.max(clock.now, due);
  }
  clock.now = end;
}

const TABLES = ["events", "runs", "steps", "items", "pauses", "keys"].map((table) => `inngest_local.${table}`);

/** Empties the engine's tables. */
export async function emptyEngine(ownerUrl: string): Promise<void> {
  await queryOnce(ownerUrl, `TRUNCATE ${TABLES.join(", ")}`);
}

export async function queryOnce(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const parsed = (text: unknown) => JSON.parse(String(text)) as Record<string, unknown>;

/** The runs that an event started. */
async function runsOf(url: string, eventId: string): Promise<RunView[]> {
  const [sent] = await queryOnce(url, "SELECT document FROM inngest_local.events WHERE internal_id = $1", [eventId]);
  if (!sent) return [];
  const { id } = parsed(sent.document);
  const rows = await queryOnce(url, "SELECT status, output, event FROM inngest_local.runs ORDER BY id");
  return rows
    .filter((row) => parsed(row.event).id === id)
    .map((row) => {
      const output = row.output === null ? {} : parsed(row.output);
      return { status: row.status as RunView["status"], output: output.error ?? output.result ?? null };
    });
}

export type LocalDriver = Driver & {
  readonly engine: LocalEngine;
  readonly clock: TestClock;
  readonly app: TestApp;
  /** The same database and clock under a new engine and a new app, as after a restart. */
  restart(): Promise<LocalDriver>;
  close(): Promise<void>;
};

type TestApp = Pick<ReturnType<typeof conformanceApp>, "client" | "handler">;
type Options = {
  systemUrl: string;
  clock?: TestClock;
  trace?: string[];
  isScheduled?: boolean;
  /** Other functions than those of the conformance suite. */
  makeApp?: (engine: LocalEngine) => TestApp;
} & Partial<Omit<EngineOptions, "clock">>;

/** The conformance functions, or others, over the local engine, with a clock of the test's own. */
export async function localDriver(options: Options): Promise<LocalDriver> {
  const { systemUrl, clock = new TestClock(), trace = [], isScheduled = false, makeApp, ...engineOptions } = options;
  const engine = createEngine({
    systemDatabaseUrl: systemUrl,
    transport: (request) => app.handler(request),
    signingKey: TEST_KEYS.signingKey,
    clock: clock.read,
    backoff: () => HOUR_MS / 2,
    isListening: false,
    poolSize: 4,
    ...engineOptions,
  });
  const app: TestApp = makeApp?.(engine) ?? conformanceApp({ hourS: 3_600, trace, fetch: engine.fetch, isScheduled });
  await engine.sync();
  return {
    engine,
    clock,
    app,
    trace,
    send: async (name, data = {}, extra = {}) => {
      const { ids } = await app.client.send({ name, data, ...extra });
      return ids[0] ?? "";
    },
    settle: () => drain(engine),
    pass: (hours) => advance(engine, clock, hours * HOUR_MS),
    inHours: (hours) => clock.now + hours * HOUR_MS,
    runsOf: (eventId) => runsOf(systemUrl, eventId),
    restart: async () => {
      await engine.close();
      return localDriver({ ...options, clock, trace });
    },
    close: () => engine.close(),
  };
}
