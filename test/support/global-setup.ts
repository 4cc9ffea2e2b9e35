import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { deploy } from "@/prisma/migrate";
import { startCluster } from "@/server/cli/postgres/cluster";
import { ensureDatabase, ensureRoles, roleUrls } from "@/server/cli/postgres/roles";
import { TEMPLATE, TEST_PASSWORDS } from "./roles";

declare module "vitest" {
  export interface ProvidedContext {
    superuserUrl: string;
  }
}

/** One PostgreSQL a run, with a migrated template database that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-test-"));
  chmodSync(folder, 0o711);
  const cluster = await startCluster({
    wanted: join(folder, "postgres"),
    name: `test-${randomBytes(6).toString("hex")}`,
    superuserPassword: "test",
    settings: ["fsync=off", "synchronous_commit=off", "full_page_writes=off"],
  });
  const stop = async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await ensureRoles(cluster.superuserUrl, TEST_PASSWORDS);
    await ensureDatabase(cluster.superuserUrl, TEMPLATE);
    await deploy(roleUrls(cluster.superuserUrl, TEMPLATE, TEST_PASSWORDS).ownerUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("superuserUrl", cluster.superuserUrl);
  return stop;
}
