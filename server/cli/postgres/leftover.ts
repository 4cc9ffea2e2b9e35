import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LaunchError } from "@/server/cli/launch-error";

const WAIT_MS = 15_000;

/** The command line of a process, empty when there is none. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    try {
      return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8", stdio: "pipe" });
    } catch {
      return "";
    }
  }
}

function recordedPid(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Clears what a killed start left behind in the cluster's folder: a server that still runs is stopped, and a lock file
 * whose number now belongs to some other process is removed, since PostgreSQL itself would take it for a server.
 */
export async function clearLeftover(cluster: string): Promise<void> {
  const file = join(cluster, "postmaster.pid");
  const pid = recordedPid(file);
  if (pid === undefined) return;
  const isOurs = () => commandOf(pid).includes(cluster);
  if (!isOurs()) return rmSync(file, { force: true });
  const deadline = Date.now() + WAIT_MS;
  for (let sent = false; isOurs(); sent = true) {
    if (Date.now() > deadline)
      throw new LaunchError(`PostgreSQL (process ${pid}) still holds ${cluster}; stop it first.`);
    if (!sent) process.kill(pid, "SIGINT");
    await sleep(50);
  }
}
