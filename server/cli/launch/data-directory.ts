import { accessSync, chmodSync, constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LaunchError } from "@/server/cli/launch-error";
import { commandOf } from "@/server/cli/postgres/leftover";

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unknown");

/** Makes the folder for keys and data, ours alone, and returns its absolute path. Throws LaunchError. */
export function openDataDirectory(configured: string): string {
  const path = resolve(configured);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const probe = join(path, ".writable");
    writeFileSync(probe, "");
    rmSync(probe);
    // Under root the database's own user must pass through; what matters inside is closed file by file.
    if (process.getuid?.() === 0) chmodSync(path, 0o711);
    return path;
  } catch (cause) {
    throw new LaunchError(`DATA_DIR ${path} cannot be written (${codeOf(cause)}); set DATA_DIR to a folder of yours.`, {
      cause,
    });
  }
}

/** Writes a file that only we can read, whole or not at all. */
export function writePrivate(path: string, content: string): void {
  const half = `${path}.${process.pid}`;
  writeFileSync(half, content, { mode: 0o600 });
  renameSync(half, path);
}

/** The text of a file, or undefined where there is none. Throws LaunchError when it may not be read. */
export function readPrivate(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw new LaunchError(`${path} cannot be read (${codeOf(cause)}); start as the user who started first.`, { cause });
  }
}

/** Keeps a second start out of a data directory in use. Throws LaunchError; a killed start holds nothing. */
export function holdDataDirectory(directory: string): { release(): void } {
  const path = join(directory, "running");
  const holder = Number(readPrivate(path));
  const isHeld = holder > 1 && holder !== process.pid && /start\.mjs/.test(commandOf(holder));
  if (isHeld) {
    throw new LaunchError(
      `Countersign already runs on ${directory} (process ${holder}); stop it first or set DATA_DIR.`,
    );
  }
  writePrivate(path, String(process.pid));
  return { release: () => rmSync(path, { force: true }) };
}
