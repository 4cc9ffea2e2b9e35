// npm start: installs, generates and builds what is missing, then starts everything.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build, fail, generate, install, PROJECT, requireNode } from "./prepare.mjs";

async function start() {
  requireNode();
  process.chdir(PROJECT);
  if (existsSync(join(PROJECT, ".env"))) process.loadEnvFile(join(PROJECT, ".env"));
  await install();
  await generate();
  const { register } = await import("tsx/esm/api");
  register();
  const { launch } = await import("./launch.ts");
  await launch({ isNpm: process.env.npm_lifecycle_event !== undefined, build });
}

start().catch(fail);
