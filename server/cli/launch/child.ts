import { type ChildProcess, spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { LaunchError } from "@/server/cli/launch-error";

const PROJECT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

const STOP_MS = 20_000;

export type Child = {
  readonly name: string;
  /** Resolves when it ended, whoever ended it. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

export type ChildOptions = {
  readonly name: string;
  /** A TypeScript file of the project, or what was built from some. */
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  /** The first message that it gets: what must not be seen in its arguments or environment. */
  readonly first?: object;
};

const isExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/**
 * Starts a process of ours in a session of its own, so that a terminal's Ctrl-C reaches it through us and in
 * order. It ends by itself when its channel to us breaks.
 */
function start({ file, env, first }: ChildOptions): ChildProcess {
  const loader = file.endsWith(".ts") ? ["--import", "tsx"] : [];
  const child = spawn(process.execPath, [...loader, file], {
    cwd: PROJECT,
    detached: true,
    env,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  if (first) child.send(first);
  return child;
}

const endOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (isExited(child) || child.pid === undefined) return;
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(timer);
}

/** Starts a child and waits until it says it is ready. Throws LaunchError when it ends before; it has said why. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const child = start(options);
  const ended = endOf(child);
  const ready = new Promise<boolean>((resolve) => {
    child.once("message", () => resolve(true));
    void ended.then(() => resolve(false));
  });
  if (!(await ready)) throw new LaunchError(child.exitCode === 1 ? "" : `${options.name} did not start.`);
  return { name: options.name, ended, stop: () => stop(child, ended) };
}

/** Runs a child to its end and returns what it sent, if anything. Throws LaunchError when it fails; it has said why. */
export async function runChild(options: ChildOptions): Promise<unknown> {
  const child = start(options);
  let sent: unknown;
  child.on("message", (message) => {
    sent = message;
  });
  await endOf(child);
  if (child.exitCode !== 0) throw new LaunchError(child.exitCode === 1 ? "" : `${options.name} failed.`);
  return sent;
}
