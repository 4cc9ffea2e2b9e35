import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DemoFile } from "@/prisma/seed";
import { freePort } from "@/server/cli/postgres/cluster";
import { inheritedEnv } from "@/server/env";

const START_MS = 240_000;
const STOP_MS = 40_000;

export type AppOptions = {
  /** Kept from an earlier start; otherwise a new one, removed by `stop`. */
  readonly dataDir?: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
};

export type App = {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly demo: DemoFile;
  readonly output: () => string;
  /** Ctrl-C. Resolves to the exit code when everything that was started is gone. */
  readonly stop: () => Promise<number | null>;
  /** kill -9 of the launcher alone: what it started must notice. */
  readonly kill: () => Promise<void>;
};

/** A new data directory that the database's own user can enter. */
export function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-app-"));
  chmodSync(folder, 0o711);
  return join(folder, "data");
}

/** The launcher as `npm start` runs it, with nothing in its environment but what is given. */
export function startLauncher(env: Readonly<Record<string, string>>): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, ["server/cli/start.mjs"], {
    env: { ...inheritedEnv(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return { child, output: () => Buffer.concat(chunks).toString("utf8") };
}

export const exitOf = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once("exit", (code) => resolve(code)));

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}

async function untilReady(child: ChildProcess, url: string, output: () => string): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`The app ended with ${child.exitCode}:\n${output()}`);
    if (Date.now() > deadline) throw new Error(`The app is not ready:\n${output()}`);
    await sleep(200);
  }
}

/** Starts the whole demo, built, on a free port, and waits until `/readyz` says ready. */
export async function startApp(options: AppOptions = {}): Promise<App> {
  const dataDir = options.dataDir ?? newDataDir();
  const port = options.port ?? (await freePort());
  const { child, output } = startLauncher({ PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "warn", ...options.env });
  const url = `http://localhost:${port}`;
  const stop = async () => {
    child.kill("SIGINT");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    const code = await exitOf(child);
    clearTimeout(timer);
    if (options.dataDir === undefined) rmSync(join(dataDir, ".."), { recursive: true, force: true });
    return code;
  };
  const kill = async () => {
    child.kill("SIGKILL");
    await exitOf(child);
  };
  try {
    await untilReady(child, url, output);
    const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as DemoFile;
    return { url, port, dataDir, demo, output, stop, kill };
  } catch (error) {
    await stop();
    throw error;
  }
}
