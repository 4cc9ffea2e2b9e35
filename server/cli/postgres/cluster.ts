import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { LaunchError } from "@/server/cli/launch-error";
import { inheritedEnv } from "@/server/env";
import { guard } from "./guard";
import { initializeCluster } from "./initialize";
import { clearLeftover } from "./leftover";
import { choosePlace, type Place, type PlaceOptions } from "./place";

const START_MS = 60_000;
const STOP_MS = 20_000;

export type Cluster = {
  readonly port: number;
  readonly superuserUrl: string;
  readonly moved: readonly string[];
  /** The postmaster's process id. */
  readonly pid: number;
  /** Resolves when PostgreSQL has ended, whoever ended it. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

export type ClusterOptions = PlaceOptions & {
  readonly superuserPassword: string;
  /** Further `name=value` settings, such as `fsync=off` in tests. */
  readonly settings?: readonly string[];
};

const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=200",
  // Errors quote values: only the server's own messages are kept.
  "log_min_messages=log",
  "log_min_error_statement=panic",
  "log_error_verbosity=terse",
];

/** Below what systems give to outgoing connections: one of those could take a port between here and its use. */
const PORTS = { from: 20_000, to: 32_000 };
const TRIES = 50;

/** A port of 127.0.0.1 that is free at this moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  throw new LaunchError(`None of ${TRIES} ports tried on 127.0.0.1 is free; stop what uses them.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

function run(place: Place, cluster: string, port: number, settings: readonly string[]): ChildProcess {
  const log = openSync(join(place.data, "postgres.log"), "w", 0o600);
  try {
    const flags = [...SETTINGS, ...settings].flatMap((setting) => ["-c", setting]);
    return spawn(place.binaries.postgres, ["-D", cluster, "-p", String(port), ...flags], {
      ...place.runAs,
      cwd: "/",
      detached: true,
      env: inheritedEnv(),
      stdio: ["ignore", log, log],
    });
  } finally {
    closeSync(log);
  }
}

const isExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function untilReady(child: ChildProcess, url: string, place: Place): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (isExited(child) || child.pid === undefined) break;
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return await client.end();
    } catch {
      await sleep(25);
    }
  }
  const last = readFileSync(join(place.data, "postgres.log"), "utf8").trim().split("\n").at(-1);
  throw new LaunchError(`PostgreSQL did not start in ${place.data}: ${last || "no answer in time"}`);
}

async function stopProcess(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (isExited(child)) return;
  child.kill("SIGINT");
  const timer = setTimeout(() => child.kill("SIGQUIT"), STOP_MS);
  await ended;
  clearTimeout(timer);
}

/** Starts the embedded PostgreSQL, making its cluster at the first start. Throws LaunchError. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const place = choosePlace(options);
  const cluster = initializeCluster(place, options.superuserPassword);
  await clearLeftover(cluster);
  const port = await freePort();
  const child = run(place, cluster, port, options.settings ?? []);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const watch = guard(child.pid ?? 0);
  const superuserUrl = `postgres://postgres:${options.superuserPassword}@127.0.0.1:${port}/postgres`;
  const stop = async () => {
    await stopProcess(child, ended);
    watch.release();
  };
  try {
    await untilReady(child, superuserUrl, place);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, superuserUrl, moved: place.moved, pid: child.pid ?? 0, ended, stop };
}
