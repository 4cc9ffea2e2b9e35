import { type ChildProcess, spawn } from "node:child_process";

/**
 * Stops `pid` when this process is gone, however it went: a shell in a session of its own waits for the end of
 * a pipe that only we hold. SIGINT is PostgreSQL's fast shutdown.
 */
export function guard(pid: number): { release(): void } {
  const script = 'cat >/dev/null; kill -INT "$1" 2>/dev/null';
  const child: ChildProcess = spawn("/bin/sh", ["-c", script, "guard", String(pid)], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.unref();
  child.on("error", () => undefined);
  return { release: () => void child.kill("SIGKILL") };
}
