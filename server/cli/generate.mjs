import { fail, generate, install, requireNode } from "./prepare.mjs";

async function main() {
  requireNode();
  await install();
  await generate();
}

main().catch(fail);
