import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "@/server/cli/launch-error";
import { inheritedEnv } from "@/server/env";
import type { Place } from "./place";

/** Settings that hold for every start. Statements and details stay out of PostgreSQL's log: they carry content. */
const ARGUMENTS = [
  "--auth=scram-sha-256",
  "--username=postgres",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--no-instructions",
];

function runInitdb(place: Place, half: string, passwordFile: string): void {
  try {
    execFileSync(place.binaries.initdb, [`--pgdata=${half}`, `--pwfile=${passwordFile}`, ...ARGUMENTS], {
      ...place.runAs,
      cwd: "/",
      env: inheritedEnv(),
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch (cause) {
    const { stderr } = cause as { readonly stderr?: Buffer };
    const reason = stderr?.toString("utf8").trim().split("\n").at(-1) ?? "initdb could not be run";
    throw new LaunchError(`The database could not be set up in ${place.data}: ${reason}`, { cause });
  }
}

/**
 * Makes the cluster under `place.data` unless it is there, and returns its folder. It is made beside and
 * renamed, so that a killed first start leaves nothing half done.
 */
export function initializeCluster(place: Place, superuserPassword: string): string {
  const cluster = join(place.data, "cluster");
  if (existsSync(cluster)) return cluster;
  const half = join(place.data, "cluster.new");
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { mode: 0o700 });
  const passwordFile = join(place.data, "password");
  writeFileSync(passwordFile, superuserPassword, { mode: 0o600 });
  chmodSync(passwordFile, 0o600);
  if (place.runAs) {
    for (const path of [half, passwordFile]) chownSync(path, place.runAs.uid, place.runAs.gid);
  }
  try {
    runInitdb(place, half, passwordFile);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(half, cluster);
  return cluster;
}
