import { join } from "node:path";
import type { DemoFile } from "@/prisma/seed";
import { type LauncherEnv, launcherEnv, parseEnv, servingEnv } from "@/server/env";
import { runChild, startChild } from "./launch/child";
import { holdDataDirectory, openDataDirectory } from "./launch/data-directory";
import { type Database, openDatabase } from "./launch/database";
import { type Demo, seedOnce, startDemo } from "./launch/demo";
import { demoGreeting, greeting } from "./launch/greeting";
import { watchNpm } from "./launch/npm-parent";
import { requireFreePort } from "./launch/port";
import { openSecrets, type SecretStore } from "./launch/secrets";
import { createStack, type Stack } from "./launch/stack";
import { LaunchError } from "./launch-error";

type Ground = {
  readonly settings: LauncherEnv;
  readonly directory: string;
  readonly secrets: SecretStore;
  readonly database: Database;
};

/** The variables of the processes that serve. The owner's connection is not among them. */
function servingVariables({ settings, secrets, database }: Ground, demo?: Demo): NodeJS.ProcessEnv {
  const own = secrets.value;
  const engine = settings.INNGEST_ENGINE;
  const localKeys = { INNGEST_EVENT_KEY: own.inngestEventKey, INNGEST_SIGNING_KEY: own.inngestSigningKey };
  const session =
    !settings.SESSION_SECRET && (database.cluster || settings.DEMO) ? { SESSION_SECRET: own.sessionSecret } : {};
  const kek = !settings.CONNECTIONS_KEK && settings.DEMO ? { CONNECTIONS_KEK: own.kek } : {};
  return servingEnv({
    DEMO: "0",
    PORT: String(settings.PORT),
    HOST: settings.HOST,
    PUBLIC_URL: settings.PUBLIC_URL,
    APP_DATABASE_URL: database.appUrl,
    SYSTEM_DATABASE_URL: database.systemUrl,
    NEXTAUTH_URL: settings.PUBLIC_URL,
    NEXT_TELEMETRY_DISABLED: "1",
    // Next reads .env files by itself, the owner's connection in them included.
    __NEXT_PROCESSED_ENV: "true",
    ...session,
    ...kek,
    INNGEST_ENGINE: engine,
    ...(engine === "local" ? localKeys : {}),
    ...demo?.env,
  });
}

async function startDatabase(
  stack: Stack,
  settings: LauncherEnv,
  directory: string,
  secrets: SecretStore,
): Promise<Database> {
  const database = await openDatabase(settings, directory, secrets);
  const { cluster } = database;
  if (cluster) stack.push({ name: "PostgreSQL", stop: cluster.stop, ended: cluster.ended });
  if (cluster && cluster.moved.length > 0) {
    process.stdout.write(
      `The database's own user cannot reach this folder, so we put ${cluster.moved.join(" and ")}.\n`,
    );
  }
  return database;
}

type Prepared = { readonly env: NodeJS.ProcessEnv; readonly file: DemoFile | undefined };

/** The demo's own services and people, where this is one. */
async function prepareDemo(stack: Stack, ground: Ground): Promise<Prepared> {
  const { settings, directory, secrets } = ground;
  const demo = settings.DEMO ? await startDemo(directory, secrets, settings) : undefined;
  if (demo) stack.push(demo.child);
  const env = servingVariables(ground, demo);
  const publicUrl = settings.PUBLIC_URL;
  const file = demo ? await seedOnce({ directory, secrets, services: demo.services, publicUrl, env }) : undefined;
  return { env, file };
}

/** Starts the server; returns what to say. */
async function startServing(stack: Stack, ground: Ground, { env, file }: Prepared): Promise<string> {
  const { settings, directory } = ground;
  stack.push(await startChild({ name: "The server", file: ".next/countersign-server.mjs", env }));
  if (file) return demoGreeting(file, join(directory, "demo.json"));
  const setupUrl = await runChild({ name: "Looking for the first owner", file: "server/cli/first-owner.ts", env });
  return greeting(settings.PUBLIC_URL, typeof setupUrl === "string" ? setupUrl : null);
}

/** Both results, or the first failure once neither is under way any more: what was started has to be known to be stopped. */
async function both<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}

async function bringUp(stack: Stack, settings: LauncherEnv, build: () => Promise<void>): Promise<string> {
  const directory = openDataDirectory(settings.DATA_DIR);
  stack.push({ name: "the data directory", stop: holdDataDirectory(directory).release });
  await requireFreePort(settings.HOST, settings.PORT);
  const secrets = openSecrets(directory);
  const database = await startDatabase(stack, settings, directory, secrets);
  const ground = { settings, directory, secrets, database };
  // What the server would refuse is refused before the build.
  parseEnv(servingVariables(ground));
  const [, prepared] = await both(build(), prepareDemo(stack, ground));
  return startServing(stack, ground, prepared);
}

/** Resolves when we are told to go: by a signal, or because the npm that started us is gone. */
function untilTold(isNpm: boolean): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
    if (isNpm) watchNpm(resolve);
  });
}

const EXPECTED = new Set(["LaunchError", "BootError", "EnvError", "PrepareError"]);

const isExpected = (error: unknown) => error instanceof Error && EXPECTED.has(error.name);

/** A child that said why leaves nothing to add. */
const complain = (message: string) => {
  if (message !== "") process.stderr.write(`countersign: ${message}\n`);
};

export type LaunchOptions = {
  /** Whether npm started us, and takes us along when it is gone. */
  readonly isNpm: boolean;
  /** Builds the web app where that is due, after all that can be refused. */
  readonly build: () => Promise<void>;
};

/** Starts everything, stays until told to go, and stops everything. Ends the process. */
export async function launch({ isNpm, build }: LaunchOptions): Promise<never> {
  const stack = createStack();
  const told = untilTold(isNpm).then(() => null);
  let code = 0;
  try {
    const up = bringUp(stack, launcherEnv(), build);
    const text = await Promise.race([up, told]);
    if (text !== null) {
      process.stdout.write(`${text}\n`);
      const broken = await Promise.race([told, stack.broken]);
      if (broken !== null) throw new LaunchError(`${broken} ended unexpectedly; stopping.`);
    } else {
      await up.catch(() => undefined);
    }
    process.stdout.write("Stopping…\n");
  } catch (error) {
    code = 1;
    if (isExpected(error)) complain((error as Error).message);
    else process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  }
  await stack.stop();
  process.exit(code);
}
