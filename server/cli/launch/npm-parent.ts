import { readFileSync } from "node:fs";
import { commandOf } from "@/server/cli/postgres/leftover";

/** The parent of another process, where the system tells. */
function parentOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? "";
  } catch {
    return "";
  }
}

const POLL_MS = 1_000;

/** Calls `onGone` once the npm that started us is gone: directly our parent, or behind the shell that it runs scripts in. */
export function watchNpm(onGone: () => void): void {
  const isBehindShell = /^(\S*\/)?(ba|da)?sh -c /.test(commandOf(process.ppid));
  const ancestry = () => `${process.ppid} ${isBehindShell ? parentOf(process.ppid) : ""}`;
  const first = ancestry();
  const timer = setInterval(() => {
    if (ancestry() === first) return;
    clearInterval(timer);
    onGone();
  }, POLL_MS);
  timer.unref();
}
