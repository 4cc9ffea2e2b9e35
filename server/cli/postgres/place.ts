import { chmodSync, chownSync, existsSync, mkdirSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { LaunchError } from "@/server/cli/launch-error";
import { type Binaries, copiedBinaries, installedBinaries } from "./binaries";
import { canEnter, canRun, databaseUser, type RunAs } from "./unprivileged-user";

/** Where root keeps what an unprivileged user must reach and cannot reach in the project's own folder. */
const SHARED_DIR = "/var/lib/countersign";

export type Place = {
  readonly binaries: Binaries;
  /** The cluster's own folder. */
  readonly data: string;
  readonly runAs?: RunAs;
  /** What was put elsewhere, for one line on the terminal. */
  readonly moved: readonly string[];
};

export type PlaceOptions = {
  /** The folder wanted for the cluster. */
  readonly wanted: string;
  /** Names the folder under SHARED_DIR, should one be needed; kept, so that the same data is found again. */
  readonly name: string;
};

function prepare(folder: string, user: RunAs): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chownSync(folder, user.uid, user.gid);
}

/** Decides where binaries and data live, and as whom PostgreSQL runs. Throws LaunchError. */
export function choosePlace({ wanted, name }: PlaceOptions): Place {
  const installed = installedBinaries();
  const elsewhere = join(SHARED_DIR, name, "postgres");
  const user = databaseUser(existsSync(elsewhere) ? elsewhere : wanted);
  if (!user) {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    return { binaries: installed, data: wanted, moved: [] };
  }
  const moved: string[] = [];
  let binaries: Binaries = installed;
  if (!canRun(user, installed.postgres)) {
    binaries = copiedBinaries(SHARED_DIR, installed);
    moved.push(`PostgreSQL's programs in ${binaries.root}`);
  }
  let data = existsSync(elsewhere) ? elsewhere : wanted;
  prepare(data, user);
  if (!canEnter(user, data)) {
    if (existsSync(join(data, "cluster"))) {
      throw new LaunchError(`${data} holds the database, but its user can no longer enter it; open the folders above.`);
    }
    rmdirSync(data);
    data = elsewhere;
    prepare(data, user);
    chmodSync(dirname(data), 0o755);
  }
  if (data === elsewhere) moved.push(`the database in ${data}`);
  return { binaries, data, runAs: user, moved };
}
