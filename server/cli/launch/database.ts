import { join } from "node:path";
import pg from "pg";
import { deploy, MigrationError } from "@/prisma/migrate";
import { checkRole } from "@/server/boot/check-role";
import { LaunchError } from "@/server/cli/launch-error";
import { type Cluster, startCluster } from "@/server/cli/postgres/cluster";
import { ensureDatabase, ensureRoles, roleUrls } from "@/server/cli/postgres/roles";
import { type LauncherEnv, missingVariable } from "@/server/env";
import type { SecretStore } from "./secrets";

const DATABASE = "countersign";

export type Database = {
  readonly appUrl: string;
  readonly systemUrl: string;
  readonly cluster?: Cluster;
};

const codeOf = (error: unknown) => {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "no answer";
};

async function checkOwner(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (cause) {
    const { hostname, port } = new URL(url);
    throw new LaunchError(`DATABASE_URL: no database answers at ${hostname}:${port || 5432} (${codeOf(cause)}).`, {
      cause,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function migrate(url: string): Promise<void> {
  try {
    await deploy(url);
  } catch (cause) {
    if (cause instanceof MigrationError) throw new LaunchError(cause.message, { cause });
    const first = String(cause instanceof Error ? cause.message : cause)
      .trim()
      .split("\n")[0];
    throw new LaunchError(`The database could not be migrated: ${first}`, { cause });
  }
}

async function ownServer(settings: LauncherEnv): Promise<Database> {
  const { DATABASE_URL, APP_DATABASE_URL, SYSTEM_DATABASE_URL } = settings;
  if (!APP_DATABASE_URL) throw missingVariable("APP_DATABASE_URL");
  if (!SYSTEM_DATABASE_URL) throw missingVariable("SYSTEM_DATABASE_URL");
  if (DATABASE_URL) {
    await checkOwner(DATABASE_URL);
    await migrate(DATABASE_URL);
  }
  await checkRole("APP_DATABASE_URL", APP_DATABASE_URL, "countersign_app");
  await checkRole("SYSTEM_DATABASE_URL", SYSTEM_DATABASE_URL, "countersign_system");
  return { appUrl: APP_DATABASE_URL, systemUrl: SYSTEM_DATABASE_URL };
}

/** A demo whose first start was killed before it was complete begins again from nothing. */
async function dropUnfinishedDemo(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

function settleMode(directory: string, secrets: SecretStore, isDemo: boolean): void {
  const mode = isDemo ? "demo" : "real";
  const found = secrets.value.mode;
  if (found === undefined) secrets.change({ mode });
  if (found === undefined || found === mode) return;
  const holds = found === "demo" ? "a demo" : "a real installation";
  throw new LaunchError(
    `${directory} holds ${holds}, which cannot start as ${isDemo ? "a demo" : "a real one"}; set DATA_DIR to another folder.`,
  );
}

async function embedded(directory: string, secrets: SecretStore, isDemo: boolean): Promise<Database> {
  settleMode(directory, secrets, isDemo);
  const { place, superuserPassword, ownerPassword, appPassword, systemPassword, isSeeded } = secrets.value;
  const cluster = await startCluster({ wanted: join(directory, "postgres"), name: place, superuserPassword });
  try {
    const passwords = { owner: ownerPassword, app: appPassword, system: systemPassword };
    await ensureRoles(cluster.superuserUrl, passwords);
    if (isDemo && !isSeeded) await dropUnfinishedDemo(cluster.superuserUrl);
    await ensureDatabase(cluster.superuserUrl, DATABASE);
    const { ownerUrl, appUrl, systemUrl } = roleUrls(cluster.superuserUrl, DATABASE, passwords);
    await migrate(ownerUrl);
    return { appUrl, systemUrl, cluster };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** The configured database, or the embedded one, migrated. Throws LaunchError, EnvError. */
export function openDatabase(settings: LauncherEnv, directory: string, secrets: SecretStore): Promise<Database> {
  if (settings.DATABASE_URL || settings.APP_DATABASE_URL) return ownServer(settings);
  return embedded(directory, secrets, settings.DEMO);
}
