import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { LaunchError } from "@/server/cli/launch-error";

/** Who a child process runs as; absent means as ourselves. */
export type RunAs = { readonly uid: number; readonly gid: number };

const USER = "countersign-db";

function lookUp(): RunAs | undefined {
  try {
    const id = (flag: string) => Number(execFileSync("id", [flag, USER], { encoding: "utf8", stdio: "pipe" }));
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return undefined;
  }
}

function create(): void {
  const attempts: readonly (readonly [string, readonly string[]])[] = [
    [
      "useradd",
      ["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent", "--shell", "/bin/false", USER],
    ],
    ["adduser", ["-S", "-D", "-H", "-s", "/bin/false", USER]],
  ];
  for (const [command, args] of attempts) {
    if (spawnSync(command, args, { stdio: "ignore" }).status === 0) return;
  }
}

/**
 * PostgreSQL refuses to run as root. Under root, an existing data directory keeps the user it belongs to, and a
 * new one gets a user of its own. Throws LaunchError when none can be made.
 */
export function databaseUser(dataDirectory: string): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(dataDirectory)) {
    const { uid, gid } = statSync(dataDirectory);
    if (uid !== 0) return { uid, gid };
  }
  if (!lookUp()) create();
  const user = lookUp();
  if (!user) {
    throw new LaunchError(
      `PostgreSQL does not run as root and the user ${USER} could not be made; start as an ordinary user or set DATABASE_URL.`,
    );
  }
  return user;
}

/** Whether `user` can enter the folder `path`. */
export function canEnter(user: RunAs, path: string): boolean {
  return spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", path], { ...user, cwd: "/", stdio: "ignore" }).status === 0;
}

/** Whether `user` can run the program `path`, its libraries included. */
export function canRun(user: RunAs, path: string): boolean {
  return spawnSync(path, ["--version"], { ...user, cwd: "/", stdio: "ignore" }).status === 0;
}
