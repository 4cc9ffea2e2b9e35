import { build, fail, generate, install, requireNode } from "./prepare.mjs";

async function main() {
  requireNode();
  await install();
  await generate();
  await build();
}

main().catch(fail);
