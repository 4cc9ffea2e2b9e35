import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { inheritedEnv } from "@/server/env";
import { TEST_ENV } from "@/test/support/env";

/** Starts a worker process and answers when it works. */
export async function spawnWorker(
  urls: { systemUrl: string; effectsUrl: string },
  options: { isCheckpointing: boolean; leaseMs: number },
): Promise<ChildProcess> {
  const script = new URL("./worker-process.ts", import.meta.url).pathname;
  const { isCheckpointing, leaseMs } = options;
  const child = spawn(
    process.execPath,
    ["--import", "tsx", script, urls.systemUrl, urls.effectsUrl, String(isCheckpointing), String(leaseMs)],
    { env: { ...inheritedEnv(), ...TEST_ENV }, stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(child, "exit").then(() => {
    throw new Error("the worker process ended before it was ready");
  });
  ended.catch(() => {}); // once it is ready, its end is the test's own doing
  await Promise.race([once(child.stdout, "data"), ended]);
  return child;
}

/** Ends a process as a power cut would. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
