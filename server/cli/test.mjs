// npm test: every check and every test, each part run whatever became of the others, and one line at the end.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, generate, install, PROJECT, requireNode, run } from "./prepare.mjs";

const total = { passed: 0, failed: 0, skipped: 0 };
const mustNotSkip = process.env.CI === "true";
const reports = mkdtempSync(join(tmpdir(), "countersign-reports-"));

const bin = (name) => join(PROJECT, "node_modules", ".bin", name);

function summarize() {
  rmSync(reports, { recursive: true, force: true });
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  process.exit(total.failed === 0 ? 0 : 1);
}

function skip(why) {
  process.stdout.write(`Skipped: ${why}\n`);
  total[mustNotSkip ? "failed" : "skipped"] += 1;
}

/** One check: it holds or it does not. */
async function check(name, work) {
  process.stdout.write(`\n── ${name}\n`);
  try {
    await work();
    total.passed += 1;
    return true;
  } catch (error) {
    process.stdout.write(`${name}: ${error?.message ?? error}\n`);
    total.failed += 1;
    return false;
  }
}

const shown = (command, ...args) => run(bin(command), args, { shown: true });

function countTests(file) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(file, "utf8"));
  const skipped = numPendingTests + numTodoTests;
  total.passed += numPassedTests;
  total.failed += numFailedTests + (mustNotSkip ? skipped : 0);
  total.skipped += mustNotSkip ? 0 : skipped;
  return numFailedTests;
}

/** One of Vitest's projects, test by test. A run that broke without a failing test counts as one failure. */
async function tests(project) {
  process.stdout.write(`\n── ${project} tests\n`);
  const report = join(reports, `${project}.json`);
  const args = ["run", "--project", project, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const isFine = await shown("vitest", ...args).then(
    () => true,
    () => false,
  );
  let failed = 0;
  try {
    failed = countTests(report);
  } catch {
    process.stdout.write(`The ${project} tests left no report.\n`);
  }
  if (!isFine && failed === 0) total.failed += 1;
}

async function endToEnd(isBuilt) {
  if (!isBuilt) return skip("the end-to-end tests, since there is no build.");
  const { ensureChromium } = await import("./chromium.mjs");
  if (!ensureChromium()) return skip("the end-to-end tests, since Chromium is missing; install the package chromium.");
  await tests("e2e");
}

async function main() {
  requireNode();
  process.chdir(PROJECT);
  const isReady = await check("packages and database client", async () => {
    await install();
    await generate();
  });
  if (!isReady) return;
  await check("types", async () => {
    await run(bin("next"), ["typegen"]);
    await shown("tsc", "--noEmit", "-p", ".");
  });
  await check("format, lint and import directions", () => shown("biome", "check", "--error-on-warnings", "."));
  await check("promises", () => shown("oxlint", "--type-aware", "--deny-warnings"));
  await check("unused code", () => shown("knip"));
  await tests("unit");
  await tests("db");
  await endToEnd(await check("build", build));
}

main().then(summarize, (error) => {
  total.failed += 1;
  process.stderr.write(`${error?.message ?? error}\n`);
  summarize();
});
