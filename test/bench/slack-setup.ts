import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deploy } from "@/prisma/migrate";
import { startCluster } from "@/server/cli/postgres/cluster";
import { ensureDatabase, ensureRoles, roleUrls } from "@/server/cli/postgres/roles";
import { closePrisma } from "@/server/db/client";
import { stopListening } from "@/server/db/listen";
import { closePools } from "@/server/db/pools";
import { withOrgSql } from "@/server/db/with-org";
import { overrideEnv } from "@/server/env";
import { type TestOrganization, testOrganization } from "@/test/support/organization";
import "@/test/support/env";
import { TEST_PASSWORDS } from "@/test/support/roles";
import { type RunningSlackTest, runSlack } from "@/test/support/slack";
import { registerTestTools, type TestGrant, testGrant } from "@/test/support/test-tools";

export type Bench = { readonly org: TestOrganization; readonly grant: TestGrant; readonly running: RunningSlackTest };

export const say = (text: string) => process.stdout.write(`${text}\n`);

/** PostgreSQL on an empty database, an organization without limits of ours in the way, and a Slack of our own with its. */
export async function withSlackBench(perSecond: number, measure: (bench: Bench) => Promise<void>): Promise<void> {
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
    overrideEnv({ APP_DATABASE_URL: urls.appUrl, SYSTEM_DATABASE_URL: urls.systemUrl });
    const bench = await prepare(perSecond, folder);
    await measure(bench);
    await bench.running.close();
    await stopListening();
    await closePrisma();
    await closePools();
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function prepare(perSecond: number, folder: string): Promise<Bench> {
  registerTestTools();
  const running = await runSlack({ perSecond });
  const org = await testOrganization("Bench");
  const grant = await testGrant(org, join(folder, "effects"));
  await running.connect(org);
  await running.link("U_APPROVER", org.approver);
  await withOrgSql(org.id, async (q) => {
    await q.query("UPDATE organization SET requests_per_minute = 1000000, request_burst = 1000000");
    await q.query("UPDATE agent SET pending_limit = 10000, autonomy = 'autonomous'");
    await q.query("UPDATE agent_grant SET per_minute = 1000000, per_hour = 1000000, per_day = 1000000");
  });
  return { org, grant, running };
}
