import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deploy } from "@/prisma/migrate";
import { startChild } from "@/server/cli/launch/child";
import { freePort, startCluster } from "@/server/cli/postgres/cluster";
import { ensureDatabase, ensureRoles, roleUrls } from "@/server/cli/postgres/roles";
import { closePools } from "@/server/db/pools";
import { inheritedEnv, overrideEnv } from "@/server/env";
import { TEST_ENV } from "@/test/support/env";
import { TEST_PASSWORDS } from "@/test/support/roles";
import { bareCommits } from "./commits";
import { startEchoServer } from "./echo";
import { echo, type Figures, load } from "./load";
import { registerNoop } from "./noop";
import { benchOrganization } from "./seed";
import { type StepTime, timeChecks, timeSteps } from "./steps";

const SECONDS = Number(process.argv[2] ?? 10);
const SERVER = ".next/countersign-bench.mjs";
const WARM_UP_S = 15;
const MANY = 16;

const say = (text: string) => process.stdout.write(`${text}\n`);
const ms = (value: number) => `${value.toFixed(value < 1 ? 3 : 1)} ms`;

function row(name: string, figures: Figures): void {
  const { perSecond, p50, p95, p99, failed } = figures;
  say(`| ${name} | ${perSecond} | ${ms(p50)} | ${ms(p95)} | ${ms(p99)} | ${failed === 0 ? "" : `${failed} failed`} |`);
}

function table(title: string, steps: readonly StepTime[]): void {
  say(`\n| ${title} | time |\n| --- | --- |`);
  for (const { step, ms: time } of steps) say(`| ${step} | ${ms(time)} |`);
}

async function measure(url: string, ownerUrl: string): Promise<void> {
  const alone = await benchOrganization(1);
  const agents = await benchOrganization(MANY);
  const organizations = (await Promise.all(Array.from({ length: MANY }, () => benchOrganization(1)))).flat();
  say(`Warming up for ${WARM_UP_S} s, then ${SECONDS} s each.\n`);
  await load(url, agents, MANY, WARM_UP_S);
  say("| what | a second | p50 | p95 | p99 | |\n| --- | --- | --- | --- | --- | --- |");
  row("bare commits, 1 connection", await bareCommits(ownerUrl, 1, SECONDS));
  row(`bare commits, ${MANY} connections`, await bareCommits(ownerUrl, MANY, SECONDS));
  const plain = await startEchoServer();
  row(`plain node:http echo, ${MANY} connections`, await echo(plain.url, MANY, SECONDS));
  plain.stop();
  row("bench.noop, one grant, 1 connection", await load(url, alone, 1, SECONDS));
  row(`bench.noop, one grant, ${MANY} connections`, await load(url, alone, MANY, SECONDS));
  row(`bench.noop, ${MANY} agents, ${MANY} connections`, await load(url, agents, MANY, SECONDS));
  row(`bench.noop, ${MANY} organizations, ${MANY} connections`, await load(url, organizations, MANY, SECONDS));
  const [first] = alone;
  if (!first) throw new Error("the benchmark has a caller");
  table("step of one call alone, median", await timeSteps(first));
  table("check, mean", await timeChecks(first));
}

async function main(): Promise<void> {
  for (const args of [["server/cli/build.mjs"], ["server/cli/bundle.mjs", "test/bench/server.ts", SERVER]]) {
    const built = spawnSync(process.execPath, args, { stdio: "inherit" });
    if (built.status !== 0) throw new Error("the build failed");
  }
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  const cluster = await startCluster({
    wanted: join(folder, "postgres"),
    name: `bench-${randomBytes(6).toString("hex")}`,
    superuserPassword: "bench",
  });
  try {
    await ensureRoles(cluster.superuserUrl, TEST_PASSWORDS);
    await ensureDatabase(cluster.superuserUrl, "bench");
    const urls = roleUrls(cluster.superuserUrl, "bench", TEST_PASSWORDS);
    await deploy(urls.ownerUrl);
    const database = { APP_DATABASE_URL: urls.appUrl, SYSTEM_DATABASE_URL: urls.systemUrl };
    overrideEnv(database);
    registerNoop();
    const port = String(await freePort());
    const server = await startChild({
      name: "The server",
      file: SERVER,
      env: {
        ...inheritedEnv(),
        ...TEST_ENV,
        ...database,
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        PORT: port,
        PUBLIC_URL: `http://127.0.0.1:${port}`,
      },
    });
    try {
      await measure(`http://127.0.0.1:${port}`, urls.ownerUrl);
    } finally {
      await server.stop();
      await closePools();
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
