// Runs before any package is there: Node's own modules only, and syntax that an old Node can read.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const LOCK = join(PROJECT, "package-lock.json");
const MODULES = join(PROJECT, "node_modules");
const INSTALL_MARK = join(MODULES, ".countersign-lock");
const GENERATED = join(PROJECT, "server", "db", "generated");
const GENERATE_MARK = join(GENERATED, ".schema");
const BUILD_MARK = join(PROJECT, ".next", "countersign-sources");
const SERVER = join(PROJECT, ".next", "countersign-server.mjs");

/** Nothing is sent anywhere: both tools report their use unless told not to. */
export const QUIET = { NEXT_TELEMETRY_DISABLED: "1", CHECKPOINT_DISABLE: "1" };

/** A step that cannot be done. The message is one line for the operator. */
export class PrepareError extends Error {
  name = "PrepareError";
}

const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Runs a program in the project. Its output is shown, or kept and shown only when it fails. */
export function run(command, args, { shown = false, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: PROJECT,
      env: { ...process.env, ...QUIET, ...env },
      stdio: ["ignore", shown ? "inherit" : "pipe", shown ? "inherit" : "pipe"],
    });
    // A signal that reached us alone must not leave the child behind.
    const pass = (signal) => child.kill(signal);
    for (const signal of SIGNALS) process.on(signal, pass);
    const output = [];
    for (const stream of [child.stdout, child.stderr]) if (stream) stream.on("data", (chunk) => output.push(chunk));
    child.once("error", (error) => reject(new PrepareError(`${command} could not be run: ${error.message}`)));
    child.once("close", (code) => {
      for (const signal of SIGNALS) process.removeListener(signal, pass);
      if (code === 0) return resolve();
      process.stderr.write(Buffer.concat(output));
      reject(new PrepareError(`${[command, ...args].join(" ")} failed.`));
    });
  });
}

const bin = (name) => join(MODULES, ".bin", name);

/** Ends with one line on a Node that is too old. */
export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 20)) return;
  throw new PrepareError(`Countersign needs Node 20.20 or newer; this is ${version}.`);
}

function isInstalled(hash) {
  if (read(INSTALL_MARK) === hash) return true;
  const installed = join(MODULES, ".package-lock.json");
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(LOCK).mtimeMs;
}

/** Installs what the lock file says unless it is there. No package's install script runs: none is needed. */
export async function install() {
  const hash = createHash("sha256").update(readFileSync(LOCK)).digest("hex");
  if (!isInstalled(hash)) {
    process.stdout.write("Installing packages…\n");
    const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    const npm = process.env.npm_execpath;
    if (npm && /npm-cli\.c?js$/.test(npm)) await run(process.execPath, [npm, ...args], { shown: true });
    else await run("npm", args, { shown: true });
  }
  if (read(INSTALL_MARK) !== hash) writeFileSync(INSTALL_MARK, hash);
}

/** Writes the database client unless it stands for this schema. */
export async function generate() {
  const hash = createHash("sha256");
  hash.update(read(join(PROJECT, "prisma", "schema.prisma")));
  hash.update(read(join(MODULES, "prisma", "package.json")));
  const digest = hash.digest("hex");
  if (read(GENERATE_MARK) === digest) return;
  // Any program will do: the client does not use the engine that would be downloaded otherwise.
  await run(bin("prisma"), ["generate"], { env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath } });
  mkdirSync(GENERATED, { recursive: true });
  writeFileSync(GENERATE_MARK, digest);
}

const SOURCES = ["app", "public", "server", "inngest", "slack", "prisma/schema.prisma", "package-lock.json"];
const ROOT_FILES = /^(next\.config|postcss\.config|proxy|instrumentation|tsconfig)\b/;
const NOT_BUNDLED = new Set([join("server", "cli"), join("server", "db", "generated")]);

function* filesUnder(path) {
  if (NOT_BUNDLED.has(path)) return;
  const full = join(PROJECT, path);
  if (!existsSync(full)) return;
  if (statSync(full).isFile()) return yield path;
  for (const name of readdirSync(full).sort()) yield* filesUnder(join(path, name));
}

function sourcesHash() {
  const hash = createHash("sha256");
  const roots = readdirSync(PROJECT).filter((name) => ROOT_FILES.test(name) && !name.endsWith(".tsbuildinfo"));
  for (const root of [...SOURCES, ...roots.sort()]) {
    for (const path of filesUnder(root)) hash.update(`${path}\0`).update(readFileSync(join(PROJECT, path)));
  }
  return hash.digest("hex");
}

/** Builds the web app and the server unless they are built from these sources. */
export async function build() {
  const hash = sourcesHash();
  if (read(BUILD_MARK) === hash) return;
  rmSync(BUILD_MARK, { force: true });
  process.stdout.write("Building the web app…\n");
  await run(bin("next"), ["build"], { env: { NODE_ENV: "production" } });
  await run(process.execPath, [
    join(PROJECT, "server", "cli", "bundle.mjs"),
    join(PROJECT, "server", "main.ts"),
    SERVER,
  ]);
  writeFileSync(BUILD_MARK, hash);
}

/** For a script's last word: one line and a failing exit. */
export function fail(error) {
  const isOurs = error instanceof PrepareError;
  process.stderr.write(`countersign: ${isOurs ? error.message : (error?.stack ?? error)}\n`);
  process.exit(1);
}
